// Programs, meshes of marks, and instances of a mesh.
//
// The numbers of instances are in a texture, and a mesh of few triangles is there in many copies, each of which is an
// instance: a draw of very many small instances costs more than their triangles, on processors above all.

import { SPRING } from "./shaders.js";

// Numbers per instance: place, quaternion, size, colour, flags and identity.
export const STRIDE = 16;
// Instances in a row of the texture at most, and where the texture is bound.
const ROW = 256;
const INSTANCE_UNIT = 1;
// Triangles that copies of a mesh have together, about.
const COPIED = 2048;

export function compile(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const places = {};
  for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
    const name = gl.getActiveUniform(program, k).name.replace("[0]", "");
    places[name] = gl.getUniformLocation(program, name);
  }
  gl.useProgram(program);
  if (places.instances) gl.uniform1i(places.instances, INSTANCE_UNIT);
  return { program, places };
}

// A mesh of a surface that turns about z, by its profile of radii and heights with normals.
export function turned(profile, sides = 24) {
  const [positions, normals, triangles] = [[], [], []];
  for (const [r, z, nr, nz] of profile) {
    for (let k = 0; k <= sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
      normals.push(nr * Math.cos(angle), nr * Math.sin(angle), nz);
    }
  }
  for (let i = 0; i + 1 < profile.length; i++) {
    for (let k = 0; k < sides; k++) {
      const a = i * (sides + 1) + k;
      const b = a + sides + 1;
      triangles.push(a, a + 1, b + 1, a, b + 1, b);
    }
  }
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    triangles: new Uint32Array(triangles),
  };
}

// A wire along the middles of its rings, each with two directions that it lies in; the normals say where the wire swells
// to, whose radius the picture gives.
function wireMesh(rings, sides) {
  const [positions, normals, winding, triangles] = [[], [], [], []];
  rings.forEach(([middle, u, v, winds = 0], i) => {
    for (let k = 0; k < sides; k++) {
      const [c, d] = [Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides)];
      positions.push(...middle);
      normals.push(...u.map((_, axis) => c * u[axis] + d * v[axis]));
      winding.push(winds);
      if (i + 1 < rings.length) {
        const [a, n] = [i * sides + k, i * sides + ((k + 1) % sides)];
        triangles.push(a, a + sides, n + sides, a, n + sides, n);
      }
    }
  });
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    curvatures: new Float32Array(winding),
    triangles: new Uint32Array(triangles),
  };
}

// Corners of a round wire.
const WIRE_SIDES = 20;
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

// The middle line of a rod from 0 to 1 on z.
export function rodMesh() {
  const ring = (height) => [[0, 0, height], AXES[0], AXES[1]];
  return wireMesh([ring(0), ring(1)], WIRE_SIDES);
}

// That of a spring about z from 0 to 1, of radius one, with straight ends.
export function coilMesh(steps = 180, sides = WIRE_SIDES) {
  const [x, y, z] = AXES;
  const { turns, start, end } = SPRING;
  const rings = [
    [[0, 0, 0], x, y],
    [[0, 0, start], x, y],
    [[0, 0, start], z, y],
  ];
  for (let i = 0; i <= steps; i++) {
    const angle = (2 * Math.PI * turns * i) / steps;
    const out = [Math.cos(angle), Math.sin(angle), 0];
    const ring = [[out[0], out[1], start + ((end - start) * i) / steps], out, z, 1];
    if (i === 0) rings.push([ring[0], z, y]);
    rings.push(ring);
    if (i === steps) rings.push([ring[0], z, y]);
  }
  rings.push([[0, 0, end], z, y], [[0, 0, end], x, y], [[0, 0, 1], x, y]);
  return wireMesh(rings, sides);
}

// The quaternion that turns z to a unit vector.
export function turnTo(axis) {
  const w = 1 + axis[2];
  if (w < 1e-6) return [0, 1, 0, 0];
  const length = Math.hypot(w, axis[0], axis[1]);
  return [w / length, -axis[1] / length, axis[0] / length, 0];
}

// So many copies of a list of numbers, one after the other, each with `step` added to those of the last.
function repeated(numbers, copies, step = 0) {
  if (copies === 1) return numbers;
  const all = new numbers.constructor(copies * numbers.length);
  for (let k = 0; k < copies; k++) {
    all.set(numbers, k * numbers.length);
    if (step > 0 && k > 0)
      for (let i = k * numbers.length; i < (k + 1) * numbers.length; i++) all[i] += k * step;
  }
  return all;
}

// The buffers of a mesh, which all its batches share.
export class MeshBuffers {
  constructor(gl, mesh) {
    this.count = mesh.triangles.length;
    this.vertices = mesh.positions.length / 3;
    this.copies = Math.max(1, Math.min(ROW, Math.floor((3 * COPIED) / Math.max(1, this.count))));
    this.buffers = [];
    const filled = (target, numbers) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(target, buffer);
      gl.bufferData(target, numbers, gl.STATIC_DRAW);
      this.buffers.push(buffer);
    };
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    for (const [place, numbers, size] of [
      [0, mesh.positions, 3],
      [1, mesh.normals, 3],
      [2, mesh.curvatures, 1],
    ]) {
      if (!numbers) continue;
      filled(gl.ARRAY_BUFFER, repeated(numbers, this.copies));
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
    }
    filled(gl.ELEMENT_ARRAY_BUFFER, repeated(mesh.triangles, this.copies, this.vertices));
    gl.bindVertexArray(null);
  }

  // Draws instances, whose numbers are bound.
  draw(gl, places, instances) {
    gl.bindVertexArray(this.array);
    gl.uniform1i(places.copies, this.copies);
    gl.uniform1i(places.verticesPerCopy, this.vertices);
    const groups = Math.floor(instances / this.copies);
    const rest = instances - groups * this.copies;
    gl.uniform1i(places.firstInstance, 0);
    if (groups > 0)
      gl.drawElementsInstanced(gl.TRIANGLES, this.copies * this.count, gl.UNSIGNED_INT, 0, groups);
    if (rest === 0) return;
    gl.uniform1i(places.firstInstance, groups * this.copies);
    gl.drawElementsInstanced(gl.TRIANGLES, rest * this.count, gl.UNSIGNED_INT, 0, 1);
  }

  // Gives the buffers back.
  discard(gl) {
    for (const buffer of this.buffers) gl.deleteBuffer(buffer);
    gl.deleteVertexArray(this.array);
  }
}

// Instances of one mesh.
export class Batch {
  // `simple` is a mesh of the same surface for what need not be as exact.
  constructor(gl, mesh, simple = null) {
    this.gl = gl;
    this.mesh = mesh instanceof MeshBuffers ? mesh : new MeshBuffers(gl, mesh);
    this.simple = simple ?? this.mesh;
    this.data = new Float32Array(16 * STRIDE);
    this.instances = 0;
    this.isFresh = false;
    this.texture = null;
    this.held = 0;
  }

  // How many instances there is room for: a power of two.
  get room() {
    return this.data.length / STRIDE;
  }

  clear() {
    this.instances = 0;
    this.isFresh = false;
  }

  // Room for one more instance: where its numbers go.
  next() {
    if ((this.instances + 1) * STRIDE > this.data.length) {
      const grown = new Float32Array(2 * this.data.length);
      grown.set(this.data);
      this.data = grown;
    }
    this.isFresh = false;
    this.instances += 1;
    return (this.instances - 1) * STRIDE;
  }

  push(place, turn, size, colour, flags, identity) {
    let at = this.next();
    const d = this.data;
    for (const part of [place, turn, size, colour]) for (const x of part) d[at++] = x;
    d[at++] = flags;
    d[at] = identity;
  }

  // Binds the texture with the numbers of all instances; returns how many a row has.
  bind() {
    const { gl, room } = this;
    const perRow = Math.min(ROW, room);
    gl.activeTexture(gl.TEXTURE0 + INSTANCE_UNIT);
    this.texture ??= gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (this.held !== room) {
      this.held = room;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 4 * perRow, room / perRow, 0, gl.RGBA, gl.FLOAT, null);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
    if (!this.isFresh) {
      const rows = Math.ceil(this.instances / perRow);
      const numbers = this.data.subarray(0, rows * perRow * STRIDE);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4 * perRow, rows, gl.RGBA, gl.FLOAT, numbers);
      this.isFresh = true;
    }
    gl.activeTexture(gl.TEXTURE0);
    return perRow;
  }

  // Draws all instances with the program whose uniforms are given; returns how many triangles that were.
  draw(places, isSimple = false) {
    if (this.instances === 0) return 0;
    const mesh = isSimple ? this.simple : this.mesh;
    this.gl.uniform1i(places.instancesPerRow, this.bind());
    mesh.draw(this.gl, places, this.instances);
    return (this.instances * mesh.count) / 3;
  }

  // Gives back what is not the mesh's.
  discard() {
    this.gl.deleteTexture(this.texture);
  }
}
