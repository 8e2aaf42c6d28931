// Draws frames: meshes as instances, half-spaces as patches, marks over them.

import {
  add,
  cross,
  dot,
  lookAt,
  multiply,
  norm,
  normalize,
  orthographic,
  product,
  rotate,
  roundLength,
  scale,
  subtract,
  tangents,
} from "./algebra.js";
import {
  LINE_FRAGMENT,
  LINE_VERTEX,
  PICK_FRAGMENT,
  PLANE_FRAGMENT,
  PLANE_VERTEX,
  SHADOW_FRAGMENT,
  SOLID_FRAGMENT,
  SOLID_VERTEX,
} from "./shaders.js";
import { ballMesh, Batch, coilMesh, compile, STRIDE, turned, turnTo } from "./batch.js";

const PATTERNED = 1;
const CHOSEN = 2;
const SHADOW_TEXELS = 2048;
// Shares of the pixels' sides that are drawn where a machine is too slow for all of them.
const COARSE = [1, 0.7, 0.5];

export class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.solid = compile(gl, SOLID_VERTEX, SOLID_FRAGMENT);
    this.picking = compile(gl, SOLID_VERTEX, PICK_FRAGMENT);
    this.shadow = compile(gl, SOLID_VERTEX, SHADOW_FRAGMENT);
    this.plane = compile(gl, PLANE_VERTEX, PLANE_FRAGMENT);
    this.line = compile(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.makeShadowMap();
    this.quad = gl.createVertexArray();
    gl.bindVertexArray(this.quad);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.lineArray = gl.createVertexArray();
    this.lineBuffer = gl.createBuffer();
    gl.bindVertexArray(this.lineArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    this.marks = {
      ball: new Batch(gl, ballMesh()),
      shaft: new Batch(
        gl,
        turned([
          [1, 0, 1, 0],
          [1, 1, 1, 0],
        ]),
      ),
      head: new Batch(
        gl,
        turned([
          [0, 0, 0, -1],
          [1, 0, 0, -1],
          [1, 0, 0.9, 0.4],
          [0, 1, 0.9, 0.4],
        ]),
      ),
    };
    this.links = {
      rod: new Batch(
        gl,
        turned([
          [1, 0, 1, 0],
          [1, 1, 1, 0],
        ]),
      ),
      coil: new Batch(gl, coilMesh()),
    };
    // How much is left out: 0 nothing, 2 half the pixels' sides and shadows.
    this.coarse = 0;
    this.groups = [];
    this.strips = [];
    this.bounds = { centre: [0, 0, 0], radius: 1 };
    this.square = 1;
  }

  makeShadowMap() {
    const gl = this.gl;
    this.shadowTexture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_TEXELS, SHADOW_TEXELS);
    for (const [key, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
      [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
    ])
      gl.texParameteri(gl.TEXTURE_2D, key, value);
    this.shadowBuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowBuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowTexture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  setGeometry(geometry) {
    this.geometry = geometry;
    this.groups = geometry.meshes.map((mesh) => ({
      opaque: new Batch(this.gl, mesh),
      clear: new Batch(this.gl, mesh),
      parts: [],
      oneSided: false,
      reach: mesh.positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0) * 1.8,
    }));
    for (const part of geometry.parts) {
      this.groups[part.mesh].parts.push(part);
      this.groups[part.mesh].oneSided ||= part.oneSided;
    }
  }

  // Puts all parts where a frame has them. `looks` says for each body its colour, opacity and whether it is hidden.
  place(frame, looks, chosen, ghosts) {
    const [low, high] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    for (const group of this.groups) {
      group.opaque.clear();
      group.clear.clear();
      for (const part of group.parts) {
        const look = looks[part.body];
        if (look.hidden) continue;
        const at = this.instance(group, part, frame.poses, look.opacity, part.body === chosen ? CHOSEN : 0, look);
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], at[k] - group.reach);
          high[k] = Math.max(high[k], at[k] + group.reach);
        }
      }
    }
    for (const ghost of ghosts) {
      for (const group of this.groups) {
        for (const part of group.parts) {
          const look = looks[part.body];
          if (!look.hidden && look.free) this.instance(group, part, ghost.frame.poses, ghost.opacity, 0, look);
        }
      }
    }
    this.placeLinks(frame, looks);
    if (low[0] <= high[0]) {
      this.bounds = { centre: scale(add(low, high), 0.5), radius: Math.max(1e-9, 0.5 * norm(subtract(high, low))) };
    }
    this.planes = this.geometry.planes
      .filter((plane) => !looks[plane.body].hidden)
      .map((plane) => {
        const p = frame.poses.subarray(7 * plane.body, 7 * plane.body + 7);
        const q = [p[3], p[4], p[5], p[6]];
        const normal = rotate(q, plane.normal);
        const x = rotate(q, [1, 0, 0]);
        const level = subtract(x, scale(normal, dot(normal, x)));
        const along = norm(level) > 0.3 ? normalize(level) : tangents(normal)[0];
        return {
          normal,
          offset: plane.offset + dot(normal, [p[0], p[1], p[2]]),
          along,
          across: cross(normal, along),
          colour: plane.colour,
        };
      });
  }

  instance(group, part, poses, opacity, flags, look) {
    const p = 7 * part.body;
    const turn = [poses[p + 3], poses[p + 4], poses[p + 5], poses[p + 6]];
    const at = add([poses[p], poses[p + 1], poses[p + 2]], rotate(turn, part.position));
    const colour = look.colour && part.patterned ? look.colour : part.colour;
    const all = [colour[0] / 255, colour[1] / 255, colour[2] / 255, opacity];
    const batch = opacity < 1 ? group.clear : group.opaque;
    batch.push(
      at,
      product(turn, part.quaternion),
      [1, 1, 1],
      all,
      flags | (part.patterned ? PATTERNED : 0),
      part.body + 1,
    );
    return at;
  }

  placeLinks(frame, looks) {
    const { rod, coil } = this.links;
    rod.clear();
    coil.clear();
    for (const line of this.geometry.lines) {
      if (line.ends.some((end) => looks[end.body].hidden)) continue;
      const [a, b] = line.ends.map((end) => {
        const p = frame.poses.subarray(7 * end.body, 7 * end.body + 7);
        return add([p[0], p[1], p[2]], rotate([p[3], p[4], p[5], p[6]], end.point));
      });
      const length = norm(subtract(b, a));
      if (!(length > 0)) continue;
      const turn = turnTo(normalize(subtract(b, a)));
      const radius = this.geometry.radius;
      const grey = [0.29, 0.3, 0.32, 1];
      if (line.coiled) coil.push(a, turn, [1.8 * radius, 1.8 * radius, length], grey, 0, 0);
      else rod.push(a, turn, [0.5 * radius, 0.5 * radius, length], grey, 0, 0);
    }
  }

  clearMarks() {
    for (const batch of Object.values(this.marks)) batch.clear();
    this.strips = [];
  }

  // An arrow from a place along a vector.
  arrow(at, vector, width, colour) {
    const length = norm(vector);
    if (!(length > 0)) return;
    const head = Math.min(4.5 * width, 0.6 * length);
    const turn = turnTo(scale(vector, 1 / length));
    this.marks.shaft.push(at, turn, [width, width, length - head], colour, 0, 0);
    const neck = add(at, scale(vector, (length - head) / length));
    this.marks.head.push(neck, turn, [0.42 * head, 0.42 * head, head], colour, 0, 0);
  }

  ball(at, radius, colour, identity = 0) {
    this.marks.ball.push(at, [1, 0, 0, 0], [radius, radius, radius], colour, 0, identity);
  }

  strip(points, colour) {
    this.strips.push({ points, colour });
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * COARSE[this.coarse];
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight].map((x) =>
      Math.max(1, Math.round(x * ratio)),
    );
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
  }

  // Draws all; `options`: shadows, clip, dark, grid.
  draw(view, options) {
    const gl = this.gl;
    this.resize();
    const level = (v) => normalize(subtract(v, scale(options.up, dot(options.up, v))), [0, 0, 0]);
    const towards = normalize(
      add(add(scale(options.up, 1.25), scale(level(view.right), -0.55)), scale(level(view.back), 0.5)),
      [0, 0, 1],
    );
    const shadowMatrix = this.lightMatrix(towards);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    if (options.shadows) this.drawShadows(shadowMatrix, options);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.depthMask(true);
    gl.clearColor(...options.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const light = { view, towards, shadowMatrix, options };
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    this.useSolid(this.solid, view.matrix, light);
    this.drawSolids("opaque", this.solid);
    for (const batch of Object.values(this.links)) batch.draw();
    this.drawPlanes(light);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.drawStrips(view.matrix, options);
    this.useSolid(this.solid, view.matrix, light);
    gl.depthMask(false);
    this.drawSolids("clear", this.solid);
    gl.depthMask(true);
    // Marks are never hidden.
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniform1i(this.solid.places.clipped, 0);
    gl.uniform1i(this.solid.places.shadows, 0);
    for (const batch of Object.values(this.marks)) batch.draw();
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  drawSolids(kind, program) {
    const gl = this.gl;
    for (const group of this.groups) {
      if (program.places.oneSided) gl.uniform1i(program.places.oneSided, group.oneSided ? 1 : 0);
      group[kind].draw();
    }
    if (program.places.oneSided) gl.uniform1i(program.places.oneSided, 0);
  }

  useSolid(program, matrix, light) {
    const gl = this.gl;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.places.matrix, false, new Float32Array(matrix));
    this.setClip(program, light.options);
    this.setLight(program, light);
    if (program.places.flatColours) gl.uniform1i(program.places.flatColours, light.options.flat ? 1 : 0);
  }

  setClip({ places }, options) {
    this.gl.uniform1i(places.clipped, options.clip ? 1 : 0);
    this.gl.uniform4fv(places.clip, options.clip ?? [0, 0, 0, 0]);
  }

  setLight({ places }, { view, towards, shadowMatrix, options }) {
    const gl = this.gl;
    gl.uniform3fv(places.eye, view.eye);
    gl.uniform3fv(places.back, view.back);
    gl.uniform1i(places.parallel, view.parallel ? 1 : 0);
    gl.uniform3fv(places.up, options.up);
    gl.uniform3fv(places.towards, towards);
    gl.uniformMatrix4fv(places.shadowMatrix, false, new Float32Array(shadowMatrix));
    gl.uniform1i(places.shadows, options.shadows ? 1 : 0);
    gl.uniform1i(places.shadowMap, 0);
  }

  lightMatrix(towards) {
    const { centre, radius } = this.bounds;
    const r = 1.05 * radius;
    const eye = add(centre, scale(towards, 2 * r));
    return multiply(orthographic(r, r, 0.5 * r, 6 * r), lookAt(eye, centre, tangents(towards)[0]));
  }

  drawShadows(matrix, options) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowBuffer);
    gl.viewport(0, 0, SHADOW_TEXELS, SHADOW_TEXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.shadow.program);
    gl.uniformMatrix4fv(this.shadow.places.matrix, false, new Float32Array(matrix));
    this.setClip(this.shadow, options);
    for (const group of this.groups) if (!group.oneSided) group.opaque.draw();
  }

  drawPlanes(light) {
    const gl = this.gl;
    const { view, options } = light;
    const radius = options.flat ? 0 : 2.6 * view.reach;
    this.square = roundLength(radius / 12);
    if (radius === 0) return;
    const { places, program } = this.plane;
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.uniformMatrix4fv(places.matrix, false, new Float32Array(view.matrix));
    this.setClip(this.plane, options);
    this.setLight(this.plane, light);
    gl.uniform1f(places.square, this.square);
    gl.uniform3fv(places.lineColour, options.line);
    gl.bindVertexArray(this.quad);
    const faces = (plane) =>
      view.parallel ? dot(plane.normal, view.back) > 0 : dot(plane.normal, view.eye) > plane.offset;
    const seen = this.planes.filter(faces);
    const bare = this.planes.length === 0 && options.grid;
    if (bare) seen.push(this.gridPlane(options.up));
    for (const plane of seen) {
      const others = seen.filter((other) => other !== plane).slice(0, 8);
      const packed = new Float32Array(32);
      others.forEach((other, k) => packed.set([...other.normal, other.offset], 4 * k));
      gl.uniform4fv(places.others, packed);
      gl.uniform1i(places.otherCount, others.length);
      const own = dot(plane.normal, options.up) > 0.8 ? radius : 0.6 * radius;
      gl.uniform3fv(
        places.middle,
        add(view.target, scale(plane.normal, plane.offset - dot(plane.normal, view.target))),
      );
      gl.uniform3fv(places.foot, scale(plane.normal, plane.offset));
      gl.uniform1f(places.radius, own);
      gl.uniform3fv(places.along, plane.along);
      gl.uniform3fv(places.across, plane.across);
      gl.uniform3fv(places.planeNormal, plane.normal);
      const tone = options.dark ? 0.42 : 1;
      gl.uniform3fv(
        places.colour,
        plane.colour.map((c) => (c / 255) * tone),
      );
      gl.uniform1i(places.bare, bare ? 1 : 0);
      gl.depthMask(!bare);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // Where a scene has no half-space, lines below all that is drawn.
  gridPlane(up) {
    this.level ??= dot(this.bounds.centre, up) - this.bounds.radius;
    const [along] = tangents(up);
    return { normal: up, offset: this.level, along, across: cross(up, along), colour: [128, 128, 128] };
  }

  drawStrips(matrix, options) {
    const gl = this.gl;
    if (this.strips.length === 0) return;
    gl.useProgram(this.line.program);
    gl.uniformMatrix4fv(this.line.places.matrix, false, new Float32Array(matrix));
    this.setClip(this.line, options);
    gl.bindVertexArray(this.lineArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
    for (const { points, colour } of this.strips) {
      gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
      gl.uniform4fv(this.line.places.colour, colour);
      gl.drawArrays(gl.LINE_STRIP, 0, points.length / 3);
    }
  }

  // What is seen at a place of the canvas, in pixels of the page: 0 for nothing, body + 1, or what a mark was given.
  pick(x, y, view, options) {
    const gl = this.gl;
    const [width, height] = [this.canvas.width, this.canvas.height];
    const ratio = width / this.canvas.clientWidth;
    const [i, j] = [Math.floor(x * ratio), height - 1 - Math.floor(y * ratio)];
    const target = gl.createFramebuffer();
    const [colour, depth] = [gl.createRenderbuffer(), gl.createRenderbuffer()];
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    for (const [buffer, format, place] of [
      [colour, gl.RGBA8, gl.COLOR_ATTACHMENT0],
      [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
    ]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
    gl.viewport(0, 0, width, height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(i, j, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.picking.program);
    gl.uniformMatrix4fv(this.picking.places.matrix, false, new Float32Array(view.matrix));
    this.setClip(this.picking, options);
    for (const group of this.groups) group.opaque.draw();
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniform1i(this.picking.places.clipped, 0);
    // Marks without an identity hide nothing.
    if (this.marks.ball.instances > 0 && this.marks.ball.data[STRIDE - 1] > 0) this.marks.ball.draw();
    const pixel = new Uint8Array(4);
    gl.readPixels(i, j, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(target);
    gl.deleteRenderbuffer(colour);
    gl.deleteRenderbuffer(depth);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2];
  }
}
