// Programs, meshes of marks, and instances of a mesh.

// Numbers per instance: place, quaternion, size, colour, flags and identity.
export const STRIDE = 16;

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

export function ballMesh() {
  const profile = [];
  for (let k = 0; k <= 12; k++) {
    const angle = (Math.PI * k) / 12 - Math.PI / 2;
    profile.push([Math.cos(angle), Math.sin(angle), Math.cos(angle), Math.sin(angle)]);
  }
  return turned(profile);
}

// The middle line of a spring about z from 0 to 1, of radius one, with straight ends; the normals say where its wire swells
// to, whose radius the picture gives.
export function coilMesh(turns = 9, steps = 180, sides = 8) {
  const [x, y, z] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const [start, end] = [0.12, 0.88];
  // Middles of rings, and the two directions that each lies in.
  const rings = [
    [[0, 0, 0], x, y],
    [[0, 0, start], x, y],
    [[0, 0, start], z, y],
  ];
  for (let i = 0; i <= steps; i++) {
    const angle = (2 * Math.PI * turns * i) / steps;
    const out = [Math.cos(angle), Math.sin(angle), 0];
    const ring = [[out[0], out[1], start + ((end - start) * i) / steps], out, z];
    if (i === 0) rings.push([ring[0], z, y]);
    rings.push(ring);
    if (i === steps) rings.push([ring[0], z, y]);
  }
  rings.push([[0, 0, end], z, y], [[0, 0, end], x, y], [[0, 0, 1], x, y]);
  const [positions, normals, triangles] = [[], [], []];
  rings.forEach(([middle, u, v], i) => {
    for (let k = 0; k < sides; k++) {
      const [c, d] = [Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides)];
      positions.push(...middle);
      normals.push(...u.map((_, axis) => c * u[axis] + d * v[axis]));
      if (i + 1 < rings.length) {
        const [a, n] = [i * sides + k, i * sides + ((k + 1) % sides)];
        triangles.push(a, a + sides, n + sides, a, n + sides, n);
      }
    }
  });
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    triangles: new Uint32Array(triangles),
  };
}

// The quaternion that turns z to a unit vector.
export function turnTo(axis) {
  const w = 1 + axis[2];
  if (w < 1e-6) return [0, 1, 0, 0];
  const length = Math.hypot(w, axis[0], axis[1]);
  return [w / length, -axis[1] / length, axis[0] / length, 0];
}

// The buffers of a mesh, which all its batches share.
export class MeshBuffers {
  constructor(gl, mesh) {
    this.count = mesh.triangles.length;
    const filled = (target, numbers) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(target, buffer);
      gl.bufferData(target, numbers, gl.STATIC_DRAW);
      return buffer;
    };
    gl.bindVertexArray(null);
    this.positions = filled(gl.ARRAY_BUFFER, mesh.positions);
    this.normals = filled(gl.ARRAY_BUFFER, mesh.normals);
    this.curvatures = mesh.curvatures ? filled(gl.ARRAY_BUFFER, mesh.curvatures) : null;
    this.triangles = filled(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles);
  }

  // Gives the buffers back.
  discard(gl) {
    for (const buffer of [this.positions, this.normals, this.curvatures, this.triangles]) gl.deleteBuffer(buffer);
  }
}

// Instances of one mesh.
export class Batch {
  // `simple` is a mesh of the same surface for what need not be as exact.
  constructor(gl, mesh, simple = null) {
    this.gl = gl;
    this.mesh = mesh instanceof MeshBuffers ? mesh : new MeshBuffers(gl, mesh);
    this.data = new Float32Array(16 * STRIDE);
    this.instances = 0;
    this.isFresh = false;
    this.buffer = gl.createBuffer();
    this.array = this.makeArray(this.mesh);
    this.simple = simple ?? this.mesh;
    this.simpleArray = simple ? this.makeArray(simple) : this.array;
  }

  makeArray(mesh) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const [place, buffer, size] of [
      [0, mesh.positions, 3],
      [1, mesh.normals, 3],
      [7, mesh.curvatures, 1],
    ]) {
      if (!buffer) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    let at = 0;
    for (const [place, size] of [
      [2, 3],
      [3, 4],
      [4, 3],
      [5, 4],
      [6, 2],
    ]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * STRIDE, at);
      gl.vertexAttribDivisor(place, 1);
      at += 4 * size;
    }
    gl.bindVertexArray(null);
    return array;
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

  // Draws all instances; returns how many triangles that were.
  draw(isSimple = false) {
    if (this.instances === 0) return 0;
    const gl = this.gl;
    const { count } = isSimple ? this.simple : this.mesh;
    gl.bindVertexArray(isSimple ? this.simpleArray : this.array);
    if (!this.isFresh) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, this.data.subarray(0, this.instances * STRIDE), gl.DYNAMIC_DRAW);
      this.isFresh = true;
    }
    gl.drawElementsInstanced(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0, this.instances);
    return (this.instances * count) / 3;
  }

  // Gives the buffers back, but not those of the mesh.
  discard() {
    this.gl.deleteBuffer(this.buffer);
    this.gl.deleteVertexArray(this.array);
    if (this.simpleArray !== this.array) this.gl.deleteVertexArray(this.simpleArray);
  }
}
