// The programs of what lies flat: patches of half-spaces, and lines.

import { LIGHT, TONES } from "./shaders.js";

export const PLANE_VERTEX = `#version 300 es
layout(location = 0) in vec2 corner;
uniform mat4 matrix;
uniform vec3 middle;
uniform vec3 along;
uniform vec3 across;
uniform float radius;
uniform vec3 planeNormal;
uniform vec3 colour;
${TONES}
out vec3 worldPosition;
// Pale and dark squares where there are no shadows.
flat out vec3 paleTone;
flat out vec3 darkTone;
void main() {
  vec3 light = groundLight(planeNormal, 1.0);
  paleTone = toBytes(colour * light);
  darkTone = toBytes(colour * 0.9 * light);
  worldPosition = middle + (along * corner.x + across * corner.y) * radius;
  gl_Position = matrix * vec4(worldPosition, 1.0);
}`;

export const PLANE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 worldPosition;
flat in vec3 paleTone;
flat in vec3 darkTone;
uniform vec3 middle;
uniform vec3 along;
uniform vec3 across;
uniform vec3 planeNormal;
uniform vec3 foot;
uniform float radius;
uniform float square;
uniform vec3 colour;
uniform vec4 others[8];
uniform int otherCount;
uniform vec4 clip;
uniform bool clipped;
uniform bool bare;
uniform vec3 lineColour;
uniform float opacity;
out vec4 result;
${LIGHT}
void main() {
  for (int k = 0; k < otherCount; k++)
    if (dot(others[k].xyz, worldPosition) < others[k].w - 1e-5 * radius) discard;
  if (clipped && dot(clip.xyz, worldPosition) > clip.w) discard;
  float s = length(worldPosition - middle) / radius;
  float t = clamp((s - 0.45) / 0.55, 0.0, 1.0);
  float presence = 1.0 - t * t * (3.0 - 2.0 * t);
  if (presence <= 0.003) discard;
  vec2 q = vec2(dot(worldPosition - foot, along), dot(worldPosition - foot, across)) / square;
  vec2 w = max(fwidth(q), vec2(1e-6));
  if (bare) {
    vec2 d = abs(fract(q - 0.5) - 0.5) / w;
    float line = 1.0 - min(min(d.x, d.y), 1.0);
    result = vec4(lineColour, 0.35 * line * presence / max(1.0, 3.0 * max(w.x, w.y)));
    return;
  }
  // The mean of the squares under a pixel.
  vec2 i = 2.0 * (abs(fract((q - 0.5 * w) * 0.5) - 0.5) - abs(fract((q + 0.5 * w) * 0.5) - 0.5)) / w;
  float dark = 0.5 - 0.5 * i.x * i.y;
  if (!shadows) { result = vec4(mix(paleTone, darkTone, dark), presence * opacity); return; }
  vec3 light = colour * (1.0 - 0.1 * dark) * groundLight(planeNormal, keyLight(worldPosition, planeNormal));
  result = vec4(toBytes(light), presence * opacity);
}`;

export const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 matrix;
uniform vec3 place;
uniform vec4 turn;
out vec3 worldPosition;
void main() {
  vec3 t = 2.0 * cross(turn.yzw, position);
  worldPosition = place + position + turn.x * t + cross(turn.yzw, t);
  gl_Position = matrix * vec4(worldPosition, 1.0);
  // Lines on a surface lie before it.
  gl_Position.z -= 4e-4 * gl_Position.w;
}`;

export const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 worldPosition;
uniform vec4 colour;
uniform vec4 clip;
uniform bool clipped;
out vec4 result;
void main() {
  if (clipped && dot(clip.xyz, worldPosition) > clip.w) discard;
  result = colour;
}`;
