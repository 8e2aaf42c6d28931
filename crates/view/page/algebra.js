// Vectors, quaternions (w, i, j, k) and 4 × 4 matrices in columns, as WebGL takes them.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const mix = (a, b, s) => [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s, a[2] + (b[2] - a[2]) * s];

// The unit vector along a; another one where a has no length.
export function normalize(a, otherwise = [0, 0, 1]) {
  const length = norm(a);
  return length > 0 && Number.isFinite(length) ? scale(a, 1 / length) : otherwise;
}

// Two unit vectors that complete a unit vector n to a right-handed frame (t, b, n), as the engine chooses them (Duff et al.,
// JCGT 6, 2017).
export function tangents(n) {
  const sign = n[2] < 0 || Object.is(n[2], -0) ? -1 : 1;
  const a = -1 / (sign + n[2]);
  const b = n[0] * n[1] * a;
  return [
    [1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]],
    [b, sign + n[1] * n[1] * a, -n[1]],
  ];
}

// The quaternion that turns x, y, z to the vectors of a right-handed frame, from its largest component on.
export function turnOf(x, y, z) {
  const squares = [1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2]];
  const most = squares.indexOf(Math.max(...squares));
  const [yz, zx, xy] = [y[2] + z[1], z[0] + x[2], x[1] + y[0]];
  const [a, b, c] = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
  const rows = [
    [squares[0], a, b, c],
    [a, squares[1], xy, zx],
    [b, xy, squares[2], yz],
    [c, zx, yz, squares[3]],
  ];
  const length = Math.hypot(...rows[most]);
  return rows[most].map((component) => component / length);
}

// v turned by the quaternion q.
export function rotate(q, v) {
  const [w, x, y, z] = q;
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

export const product = (a, b) => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];

export function multiply(a, b) {
  const c = new Float64Array(16);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 4; j++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + i] * b[4 * j + k];
      c[4 * j + i] = sum;
    }
  }
  return c;
}

export function lookAt(eye, target, up) {
  const back = normalize(subtract(eye, target), [0, -1, 0]);
  let right = cross(up, back);
  right = norm(right) > 1e-9 ? normalize(right) : tangents(back)[0];
  const above = cross(back, right);
  return new Float64Array([
    right[0],
    above[0],
    back[0],
    0,
    right[1],
    above[1],
    back[1],
    0,
    right[2],
    above[2],
    back[2],
    0,
    -dot(right, eye),
    -dot(above, eye),
    -dot(back, eye),
    1,
  ]);
}

// x and y are the tangents of half the angles.
export function perspective(x, y, near, far) {
  return new Float64Array([
    1 / x,
    0,
    0,
    0,
    0,
    1 / y,
    0,
    0,
    0,
    0,
    -(far + near) / (far - near),
    -1,
    0,
    0,
    (-2 * far * near) / (far - near),
    0,
  ]);
}

// x and y are half the width and half the height.
export function orthographic(x, y, near, far) {
  return new Float64Array([
    1 / x,
    0,
    0,
    0,
    0,
    1 / y,
    0,
    0,
    0,
    0,
    -2 / (far - near),
    0,
    0,
    0,
    -(far + near) / (far - near),
    1,
  ]);
}

// The place of a point on the screen, from -1 to 1, with its depth; null behind the eye.
export function project(matrix, p) {
  const row = (i) => matrix[i] * p[0] + matrix[4 + i] * p[1] + matrix[8 + i] * p[2] + matrix[12 + i];
  const w = row(3);
  return w > 0 ? [row(0) / w, row(1) / w, row(2) / w] : null;
}

// The greatest of 1, 2, 5 × 10^k that is no more than x.
export function roundLength(x) {
  if (!(x > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  return (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1) * power;
}
