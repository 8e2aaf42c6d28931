// The programs of the graphics card. Light is as in the project's own renderer: a key light with shadows, light from the
// sky and from below, a discreet highlight; amounts of light are compressed at the end.

// A spring: its turns, and where they begin and end between its ends.
export const SPRING = { turns: 9, start: 0.12, end: 0.88 };
// The share of its length that it rises by on a way around as long as its radius.
const RISE = (SPRING.end - SPRING.start) / (2 * Math.PI * SPRING.turns);

// What a vertex shader knows of its instance. Four texels each: place, quaternion, size, colour, flags and identity. The
// mesh is there in several copies, one after the other, each of which is an instance.
export const INSTANCE = `
uniform highp sampler2D instances;
uniform int instancesPerRow;
uniform int firstInstance;
uniform int copies;
uniform int verticesPerCopy;
uniform mat4 matrix;

mat4 instance() {
  int own = firstInstance + gl_InstanceID * copies + gl_VertexID / verticesPerCopy;
  ivec2 at = ivec2(4 * (own % instancesPerRow), own / instancesPerRow);
  return mat4(texelFetch(instances, at, 0), texelFetch(instances, at + ivec2(1, 0), 0),
    texelFetch(instances, at + ivec2(2, 0), 0), texelFetch(instances, at + ivec2(3, 0), 0));
}
`;

export const TURNED = `
vec3 turned(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.yzw, v);
  return v + q.x * t + cross(q.yzw, t);
}
`;

export const SOLID_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
// The mean curvature; of wires whether they wind about z.
layout(location = 2) in float curvature;
${INSTANCE}${TURNED}
// The radius of a wire whose middle line the positions are; zero for surfaces.
uniform float swell;
out vec3 worldPosition;
out vec3 worldNormal;
out vec3 ownPosition;
flat out vec4 ownColour;
flat out vec2 ownExtra;
flat out vec3 ownSize;
out float ownCurvature;

void main() {
  mat4 own = instance();
  vec4 a = own[0], b = own[1], c = own[2], d = own[3];
  vec4 turn = vec4(a.w, b.xyz);
  vec3 size = vec3(b.w, c.xy);
  vec3 outward = normal;
  if (swell > 0.0 && curvature > 0.5) {
    // What lies along z lies across the wire as it rises.
    float slope = float(${RISE}) * size.z / size.x;
    vec3 around = vec3(-position.y, position.x, 0.0);
    outward += normal.z * ((vec3(0.0, 0.0, 1.0) - slope * around) * inversesqrt(1.0 + slope * slope) - vec3(0.0, 0.0, 1.0));
  }
  ownPosition = position * size + outward * swell;
  worldPosition = a.xyz + turned(turn, ownPosition);
  worldNormal = turned(turn, swell > 0.0 ? outward : normal / size);
  ownColour = vec4(c.zw, d.xy);
  ownExtra = d.zw;
  ownSize = size;
  ownCurvature = curvature;
  gl_Position = matrix * vec4(worldPosition, 1.0);
}`;

// Amounts of light as bytes, and what a flat ground sends on of the key light and of what comes from all sides.
export const TONES = `
uniform vec3 up;
uniform vec3 towards;
uniform bool shadows;
vec3 toBytes(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  // IEC 61966-2-1, its power 1/2.4 by roots, to a quarter of a byte: processors that draw take long for powers.
  vec3 r = sqrt(c);
  vec3 s = sqrt(r);
  vec3 root = 0.662002687 * r + 0.684122060 * s - 0.323583601 * sqrt(s) - 0.0225411470 * c;
  return mix(c * 12.92, root, step(0.0031308, c));
}

vec3 groundLight(vec3 n, float key) {
  float height = 0.5 + 0.5 * dot(n, up);
  vec3 sky = vec3(0.96, 0.99, 1.05) * 0.5 * height;
  vec3 below = vec3(1.03, 1.0, 0.96) * 0.26 * (1.0 - height);
  return vec3(1.02, 1.0, 0.97) * 0.78 * (0.3 + 0.7 * key * max(dot(n, towards), 0.0)) + sky + below;
}
`;

export const LIGHT = `
uniform vec3 eye;
uniform vec3 back;
uniform bool parallel;
uniform mat4 shadowMatrix;
uniform highp sampler2DShadow shadowMap;
${TONES}
// Steps to each side over which the edge of a shadow is softened.
uniform int taps;

float keyLight(vec3 p, vec3 n) {
  if (!shadows) return 1.0;
  vec4 s = shadowMatrix * vec4(p, 1.0);
  vec3 q = s.xyz * 0.5 + 0.5;
  if (any(lessThan(q, vec3(0.0))) || any(greaterThan(q.xy, vec2(1.0)))) return 1.0;
  // What is behind all that casts shadows has theirs.
  q.z = min(q.z, 1.0);
  float lean = 1.0 - abs(dot(n, towards));
  q.z -= 0.0006 + 0.0025 * lean;
  if (taps == 0) return texture(shadowMap, q);
  float sum = 0.0;
  float texel = 1.0 / float(textureSize(shadowMap, 0).x);
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) sum += texture(shadowMap, q + vec3(float(i), float(j), 0.0) * texel * 1.2);
  return sum / 9.0;
}

vec3 lit(vec3 p, vec3 n, vec3 view, vec3 colour) {
  float facing = dot(n, towards);
  float key = facing > 0.0 ? 0.78 * keyLight(p, n) : 0.0;
  float height = 0.5 + 0.5 * dot(n, up);
  vec3 sky = vec3(0.96, 0.99, 1.05) * 0.5 * height;
  vec3 below = vec3(1.03, 1.0, 0.96) * 0.26 * (1.0 - height);
  float direct = key * max(facing, 0.0);
  float shine = 0.0;
  if (key > 0.0) {
    // To the power of 48.
    float h = max(dot(n, normalize(towards + view)), 0.0);
    h *= h * h;
    h *= h;
    h *= h;
    h *= h;
    shine = 0.16 * key * h * h;
  }
  return colour * (vec3(1.02, 1.0, 0.97) * direct + sky + below) + shine;
}
`;

// Shades a point of a body: where it is, its normal, the point in axes of the body, its curvature, and whether it is
// seen from outside.
export const SHADING = `
flat in vec4 ownColour;
flat in vec2 ownExtra;
flat in vec3 ownSize;
uniform vec4 clip;
uniform bool clipped;
uniform bool flatColours;
uniform bool oneSided;
uniform bool curved;
uniform bool hasCurvature;
uniform bool isBall;
uniform vec2 curvatureRange;
uniform bool logarithmic;
out vec4 result;
${LIGHT}
// The mean curvature at x of an ellipsoid with semi-axes a: (Σa² − x²) / (2 a₁²a₂²a₃² (Σ xᵢ²/aᵢ⁴)^(3/2)).
float bending(vec3 a, vec3 x) {
  float most = max(a.x, max(a.y, a.z));
  a /= most;
  x /= most;
  vec3 g = x / (a * a);
  float volume = a.x * a.y * a.z;
  return (dot(a, a) - dot(x, x)) / (2.0 * volume * volume * pow(dot(g, g), 1.5)) / most;
}

// From dark blue over green to yellow, as people with any eyes tell them apart (viridis), in amounts of light.
vec3 ramp(float t) {
  t = clamp(t, 0.0, 1.0) * 4.0;
  vec3 a = vec3(0.058, 0.0, 0.089), b = vec3(0.042, 0.085, 0.26), c = vec3(0.015, 0.28, 0.27);
  vec3 d = vec3(0.11, 0.58, 0.12), e = vec3(0.98, 0.8, 0.018);
  return t < 1.0 ? mix(a, b, t) : t < 2.0 ? mix(b, c, t - 1.0) : t < 3.0 ? mix(c, d, t - 2.0) : mix(d, e, t - 3.0);
}

void shade(vec3 at, vec3 normal, vec3 own, float curvature, bool isOutside) {
  if (clipped && dot(clip.xyz, at) > clip.w) discard;
  if (oneSided && !isOutside) discard;
  int flags = int(ownExtra.x + 0.5);
  vec3 colour = ownColour.rgb;
  if (flatColours) { result = vec4(toBytes(colour), ownColour.a); return; }
  vec3 view = parallel ? back : normalize(eye - at);
  vec3 n = normalize(normal);
  if (dot(n, view) < -0.2) n = -n;
  // The inside of what is cut is shown in one dark tone, so that the cut is seen.
  if (clipped && !isOutside) { result = vec4(toBytes(colour * 0.28), ownColour.a); return; }
  if (curved) {
    float h = isBall ? bending(ownSize, own) : curvature;
    bool isKnown = hasCurvature && !isnan(h);
    float t = logarithmic
      ? log(h / curvatureRange.x) / log(curvatureRange.y / curvatureRange.x)
      : (h - curvatureRange.x) / max(curvatureRange.y - curvatureRange.x, 1e-30);
    colour = isKnown ? ramp(t) : vec3(0.3);
  } else if ((flags & 1) != 0) {
    vec3 w = max(fwidth(own), vec3(1e-12));
    vec3 s = clamp(own / w, -1.0, 1.0);
    colour *= 1.0 - 0.2 * (0.5 - 0.5 * s.x * s.y * s.z);
  }
  vec3 light = lit(at, n, view, colour);
  if ((flags & 2) != 0) light = mix(light, vec3(1.0, 0.45, 0.02), 0.08 + 0.8 * pow(1.0 - max(dot(n, view), 0.0), 3.0));
  result = vec4(toBytes(light), ownColour.a);
}
`;

export const SOLID_FRAGMENT = `#version 300 es
precision highp float;
in vec3 worldPosition;
in vec3 worldNormal;
in vec3 ownPosition;
in float ownCurvature;
${SHADING}
void main() {
  shade(worldPosition, worldNormal, ownPosition, ownCurvature, gl_FrontFacing);
}`;

export const PICK_FRAGMENT = `#version 300 es
precision highp float;
in vec3 worldPosition;
flat in vec2 ownExtra;
uniform vec4 clip;
uniform bool clipped;
out vec4 result;
void main() {
  if (clipped && dot(clip.xyz, worldPosition) > clip.w) discard;
  int id = int(ownExtra.y + 0.5);
  result = vec4(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255), 255.0) / 255.0;
}`;

export const SHADOW_FRAGMENT = `#version 300 es
precision highp float;
in vec3 worldPosition;
flat in vec4 ownColour;
uniform vec4 clip;
uniform bool clipped;
void main() {
  if (clipped && dot(clip.xyz, worldPosition) > clip.w) discard;
}`;
