// Small ellipsoids without triangles: a square before each, and per pixel the point where the ray from the eye meets it.
//
// In axes of the ellipsoid divided by its semi-axes it is the unit sphere. The ray is p + s d, with p on the square
// through the centre and d towards the eye; ∣p + s d∣ = 1 is met first from the eye at s = −b + √(b² − p·p + 1), b = p·d.
// What reaches to ∣x∣ beside the centre is seen on the square at no more than ∣x∣ D/(D − r), D the distance of the eye
// and r the longest semi-axis.

import { INSTANCE, SHADING, TURNED } from "./shaders.js";

export const BALL_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform vec3 eye;
uniform vec3 back;
uniform bool parallel;
${INSTANCE}${TURNED}
out vec3 onSphere;
out vec3 toEye;
flat out vec3 ownPlace;
flat out vec4 ownTurn;
flat out vec4 ownColour;
flat out vec2 ownExtra;
flat out vec3 ownSize;

void main() {
  mat4 own = instance();
  ownPlace = own[0].xyz;
  ownTurn = vec4(own[0].w, own[1].xyz);
  ownSize = vec3(own[1].w, own[2].xy);
  ownColour = vec4(own[2].zw, own[3].xy);
  ownExtra = own[3].zw;
  vec4 unturn = vec4(ownTurn.x, -ownTurn.yzw);
  vec3 away = parallel ? back : eye - ownPlace;
  float distance = length(away);
  away /= distance;
  vec3 u = normalize(cross(abs(away.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), away));
  vec3 v = cross(away, u);
  float most = max(ownSize.x, max(ownSize.y, ownSize.z));
  float wider = parallel ? 1.0 : distance / max(0.1 * distance, distance - most);
  vec2 reach = wider * vec2(length(turned(unturn, u) * ownSize), length(turned(unturn, v) * ownSize));
  vec3 beside = u * (reach.x * position.x) + v * (reach.y * position.y);
  onSphere = turned(unturn, beside) / ownSize;
  toEye = turned(unturn, parallel ? back : eye - ownPlace - beside) / ownSize;
  gl_Position = matrix * vec4(ownPlace + beside, 1.0);
}`;

export const BALL_FRAGMENT = `#version 300 es
precision highp float;
in vec3 onSphere;
in vec3 toEye;
flat in vec3 ownPlace;
flat in vec4 ownTurn;
uniform mat4 matrix;
${SHADING}${TURNED}
void main() {
  vec3 d = normalize(toEye);
  float b = dot(onSphere, d);
  float root = b * b - dot(onSphere, onSphere) + 1.0;
  if (root < 0.0) discard;
  vec3 hit = onSphere + (sqrt(max(root, 0.0)) - b) * d;
  vec3 at = ownPlace + turned(ownTurn, hit * ownSize);
  vec4 seen = matrix * vec4(at, 1.0);
  gl_FragDepth = 0.5 + 0.5 * seen.z / seen.w;
  shade(at, turned(ownTurn, hit / ownSize), hit * ownSize, 0.0, true);
}`;
