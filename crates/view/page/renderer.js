// Draws frames: meshes as instances, half-spaces as patches, lines and marks over them.

import {
  add,
  cross,
  dot,
  lookAt,
  multiply,
  norm,
  normalize,
  orthographic,
  rotate,
  roundLength,
  scale,
  subtract,
  tangents,
  turnOf,
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
import { ballMesh, Batch, coilMesh, compile, turned, turnTo } from "./batch.js";
import { CHORD_PIXELS, isLogarithmic, Parts, toLight } from "./parts.js";
import { isSoftware, ShadowMap, SmoothTarget } from "./targets.js";

// Shares of the pixels' sides that are drawn where a machine is too slow for all of them.
const COARSE = [1, 0.75, 0.5, 0.35];
// Lines between bodies are picked by their place from here on.
export const LINE_IDENTITY = 1 << 22;

export class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, depth: true, stencil: false });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.isSoftware = isSoftware(gl);
    this.solid = compile(gl, SOLID_VERTEX, SOLID_FRAGMENT);
    this.picking = compile(gl, SOLID_VERTEX, PICK_FRAGMENT);
    this.shadow = compile(gl, SOLID_VERTEX, SHADOW_FRAGMENT);
    this.plane = compile(gl, PLANE_VERTEX, PLANE_FRAGMENT);
    this.line = compile(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.shadowMap = new ShadowMap(gl);
    this.smooth = new SmoothTarget(gl);
    this.quad = this.makeArray(2, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1])).array;
    this.loose = this.makeArray(3);
    const rod = turned([
      [1, 0, 1, 0],
      [1, 1, 1, 0],
    ]);
    const cone = turned([
      [0, 0, 0, -1],
      [1, 0, 0, -1],
      [1, 0, 0.9, 0.4],
      [0, 1, 0.9, 0.4],
    ]);
    const disc = turned(
      [
        [0, 0, 0, 1],
        [1, 0, 0, 1],
      ],
      48,
    );
    this.marks = {
      disc: new Batch(gl, disc),
      ball: new Batch(gl, ballMesh()),
      shaft: new Batch(gl, rod),
      head: new Batch(gl, cone),
    };
    this.links = { rod: new Batch(gl, rod), coil: new Batch(gl, coilMesh()) };
    // How much is left out: 0 nothing, 3 two thirds of the pixels' sides and shadows. `moving` says that what is seen now
    // is gone in a moment.
    this.coarse = 0;
    this.moving = false;
    // Whether there is time for several samples per pixel.
    this.settled = true;
    this.outlines = [];
    this.strips = [];
    this.bounds = { centre: [0, 0, 0], radius: 1 };
    this.square = 1;
    this.triangles = 0;
  }

  // An array of points of so many coordinates.
  makeArray(width, numbers = null) {
    const gl = this.gl;
    const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (numbers) gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, width, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    return { array, buffer };
  }

  setGeometry(geometry) {
    this.geometry = geometry;
    this.parts?.discard();
    this.parts = new Parts(this.gl, geometry);
    for (const { array, buffer } of this.outlines) {
      this.gl.deleteVertexArray(array);
      this.gl.deleteBuffer(buffer);
    }
    this.outlines = [];
    this.level = undefined;
  }

  // Lines on bodies, each a body and points in its frame.
  setOutlines(lines) {
    const byBody = new Map();
    for (const { body, points } of lines) {
      const segments = byBody.get(body) ?? [];
      for (let k = 0; k + 5 < points.length; k += 3) segments.push(...points.subarray(k, k + 6));
      byBody.set(body, segments);
    }
    this.outlines = [...byBody].map(([body, segments]) => ({
      body,
      count: segments.length / 3,
      ...this.makeArray(3, new Float32Array(segments)),
    }));
  }

  // Puts all parts where a frame has them. `looks` says for each body its opacity and whether it is hidden.
  place(frame, looks, chosen, ghosts, view, chosenLine = null) {
    const bearable = CHORD_PIXELS[this.coarse === 3 ? "slowest" : this.moving ? "moving" : "still"];
    const perMetre = this.canvas.width / (2 * view.across);
    const [ex, ey, ez] = view.eye;
    const [bx, by, bz] = view.back;
    const nearest = 0.02 * view.distance;
    const pixelsAt = view.parallel
      ? () => perMetre / view.distance
      : (x, y, z) => perMetre / Math.max(nearest, (ex - x) * bx + (ey - y) * by + (ez - z) * bz);
    this.parts.clear();
    this.parts.place(frame.poses, looks, chosen, 0, pixelsAt, bearable);
    for (const ghost of ghosts) this.parts.place(ghost.frame.poses, looks, null, ghost.opacity, pixelsAt, bearable);
    this.placeLinks(frame, looks, chosenLine);
    const { low, high } = this.parts;
    if (low[0] <= high[0]) {
      this.bounds = { centre: scale(add(low, high), 0.5), radius: Math.max(1e-9, 0.5 * norm(subtract(high, low))) };
    }
    this.poses = frame.poses;
    this.looks = looks;
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
          opacity: looks[plane.body].opacity,
        };
      });
  }

  // The ends of a line between bodies.
  lineEnds(line, poses) {
    return line.ends.map((end) => {
      const p = poses.subarray(7 * end.body, 7 * end.body + 7);
      return add([p[0], p[1], p[2]], rotate([p[3], p[4], p[5], p[6]], end.point));
    });
  }

  placeLinks(frame, looks, chosen) {
    const { rod, coil } = this.links;
    rod.clear();
    coil.clear();
    this.geometry.lines.forEach((line, k) => {
      if (line.ends.some((end) => looks[end.body].hidden)) return;
      const [a, b] = this.lineEnds(line, frame.poses);
      const length = norm(subtract(b, a));
      if (!(length > 0)) return;
      const axis = normalize(subtract(b, a));
      const turn = turnOf(...tangents(axis), axis);
      const radius = this.geometry.radius;
      const colour = k === chosen ? [0.8, 0.3, 0.02, 1] : [0.07, 0.073, 0.083, 1];
      const [batch, width] = line.coiled ? [coil, 1.8 * radius] : [rod, 0.5 * radius];
      batch.push(a, turn, [width, width, length], colour, 0, LINE_IDENTITY + k);
    });
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

  // A rod from one place to another.
  rod(a, b, width, colour) {
    const vector = subtract(b, a);
    const length = norm(vector);
    if (length > 0) this.marks.shaft.push(a, turnTo(scale(vector, 1 / length)), [width, width, length], colour, 0, 0);
  }

  ball(at, radius, colour, identity = 0) {
    this.marks.ball.push(at, [1, 0, 0, 0], [radius, radius, radius], colour, 0, identity);
  }

  // A flat ellipse about a place, turned by a quaternion from its axes x, y and its normal z.
  disc(at, turn, [long, short], colour) {
    this.marks.disc.push(at, turn, [long, short, Math.min(long, short)], colour, 0, 0);
  }

  // A line through points; over everything, or hidden by what is in front.
  strip(points, colour, over = false) {
    this.strips.push({ points, colour, over });
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

  // Draws all; `options`: shadows, clip, dark, grid, outlines, curvature (its range).
  draw(view, options) {
    const gl = this.gl;
    const { width, height } = this.canvas;
    const level = (v) => normalize(subtract(v, scale(options.up, dot(options.up, v))), [0, 0, 0]);
    const towards = normalize(
      add(add(scale(options.up, 1.25), scale(level(view.right), -0.55)), scale(level(view.back), 0.5)),
      [0, 0, 1],
    );
    const quality = this.coarse > 0 || this.isSoftware ? "coarse" : "fine";
    const light = { view, towards, shadowMatrix: this.lightMatrix(towards), options };
    light.taps = this.coarse > 0 ? 0 : 1;
    this.triangles = 0;
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    if (options.shadows) this.drawShadows(light.shadowMatrix, options, quality);
    const isSmooth = !this.moving && this.coarse === 0 && this.settled;
    if (isSmooth) this.smooth.begin(width, height);
    else gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.depthMask(true);
    gl.clearColor(...options.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap.map(quality).texture);
    this.useSolid(this.solid, view.matrix, light);
    this.drawSolids("opaque", !options.clip);
    gl.uniform1i(this.solid.places.oneSided, 1);
    this.drawSolids("wall");
    gl.uniform1i(this.solid.places.oneSided, 0);
    gl.uniform1i(this.solid.places.hasCurvature, 0);
    this.drawLinks(this.solid.places);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.drawPlanes(light);
    this.drawStrips(view.matrix, options, false);
    if (options.outlines) this.drawOutlines(view.matrix, options);
    this.useSolid(this.solid, view.matrix, light);
    gl.depthMask(false);
    this.drawSolids("clear");
    gl.depthMask(true);
    // Marks are never hidden.
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawStrips(view.matrix, { ...options, clip: null }, true);
    gl.useProgram(this.solid.program);
    for (const name of ["clipped", "shadows", "hasCurvature", "isBall"]) gl.uniform1i(this.solid.places[name], 0);
    for (const batch of Object.values(this.marks)) this.triangles += batch.draw();
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
    if (isSmooth) this.smooth.end(width, height);
  }

  // Rods, and springs, whose wire has the same radius however long they are.
  drawLinks(places) {
    this.triangles += this.links.rod.draw();
    this.gl.uniform1f(places.swell, 0.35 * this.geometry.radius);
    this.triangles += this.links.coil.draw();
    this.gl.uniform1f(places.swell, 0);
  }

  drawSolids(kind, culls = false) {
    this.triangles += this.parts.draw(kind, this.solid.places, culls);
  }

  useSolid(program, matrix, light) {
    const gl = this.gl;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.places.matrix, false, new Float32Array(matrix));
    this.setClip(program, light.options);
    this.setLight(program, light);
    const { curvature, flat } = light.options;
    gl.uniform1i(program.places.flatColours, flat ? 1 : 0);
    gl.uniform1i(program.places.curved, curvature ? 1 : 0);
    gl.uniform2fv(program.places.curvatureRange, curvature ?? [0, 1]);
    gl.uniform1i(program.places.logarithmic, curvature && isLogarithmic(curvature) ? 1 : 0);
  }

  setClip({ places }, options) {
    this.gl.uniform1i(places.clipped, options.clip ? 1 : 0);
    this.gl.uniform4fv(places.clip, options.clip ?? [0, 0, 0, 0]);
  }

  setLight({ places }, { view, towards, shadowMatrix, options, taps }) {
    const gl = this.gl;
    gl.uniform3fv(places.eye, view.eye);
    gl.uniform3fv(places.back, view.back);
    gl.uniform1i(places.parallel, view.parallel ? 1 : 0);
    gl.uniform3fv(places.up, options.up);
    gl.uniform3fv(places.towards, towards);
    gl.uniformMatrix4fv(places.shadowMatrix, false, new Float32Array(shadowMatrix));
    gl.uniform1i(places.shadows, options.shadows ? 1 : 0);
    gl.uniform1i(places.taps, taps);
    gl.uniform1i(places.shadowMap, 0);
  }

  lightMatrix(towards) {
    const { centre, radius } = this.bounds;
    const r = 1.05 * radius;
    const eye = add(centre, scale(towards, 2 * r));
    return multiply(orthographic(r, r, 0.5 * r, 6 * r), lookAt(eye, centre, tangents(towards)[0]));
  }

  drawShadows(matrix, options, quality) {
    const gl = this.gl;
    this.shadowMap.begin(quality);
    gl.useProgram(this.shadow.program);
    gl.uniformMatrix4fv(this.shadow.places.matrix, false, new Float32Array(matrix));
    this.setClip(this.shadow, options);
    this.triangles += this.parts.draw("opaque", null, !options.clip, true);
  }

  drawPlanes(light) {
    const gl = this.gl;
    const { view, options } = light;
    const radius = options.flat ? 0 : 2.6 * view.reach;
    this.square = roundLength(radius / 12);
    if (radius === 0) return;
    const { places, program } = this.plane;
    gl.useProgram(program);
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
      gl.uniform3fv(places.colour, toLight(plane.colour.map((c) => Math.round(c * tone))));
      gl.uniform1f(places.opacity, plane.opacity ?? 1);
      gl.uniform1i(places.bare, bare ? 1 : 0);
      gl.depthMask(!bare && (plane.opacity ?? 1) === 1);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.depthMask(true);
  }

  // Where a scene has no half-space, lines below all that is drawn.
  gridPlane(up) {
    this.level ??= dot(this.bounds.centre, up) - this.bounds.radius;
    const [along] = tangents(up);
    return { normal: up, offset: this.level, along, across: cross(up, along), colour: [128, 128, 128] };
  }

  drawStrips(matrix, options, over) {
    const gl = this.gl;
    const strips = this.strips.filter((strip) => strip.over === over);
    if (strips.length === 0) return;
    this.useLine(matrix, options);
    gl.bindVertexArray(this.loose.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.loose.buffer);
    for (const { points, colour } of strips) {
      gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
      gl.uniform4fv(this.line.places.colour, colour);
      gl.drawArrays(gl.LINE_STRIP, 0, points.length / 3);
    }
  }

  useLine(matrix, options) {
    const gl = this.gl;
    const { places, program } = this.line;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.matrix, false, new Float32Array(matrix));
    gl.uniform3f(places.place, 0, 0, 0);
    gl.uniform4f(places.turn, 1, 0, 0, 0);
    this.setClip(this.line, options);
  }

  // The lines on bodies that are shown.
  drawOutlines(matrix, options) {
    const gl = this.gl;
    this.useLine(matrix, options);
    gl.uniform4fv(this.line.places.colour, options.dark ? [0.92, 0.95, 1, 0.9] : [0.05, 0.07, 0.12, 0.9]);
    for (const { body, array, count } of this.outlines) {
      if (this.looks[body].hidden) continue;
      const p = this.poses.subarray(7 * body, 7 * body + 7);
      gl.uniform3f(this.line.places.place, p[0], p[1], p[2]);
      gl.uniform4f(this.line.places.turn, p[3], p[4], p[5], p[6]);
      gl.bindVertexArray(array);
      gl.drawArrays(gl.LINES, 0, count);
    }
  }

  // What is seen at a place of the canvas, in pixels of the page: 0 for nothing, body + 1, or what a mark was given.
  pick(x, y, view, options) {
    const gl = this.gl;
    const [width, height] = [this.canvas.width, this.canvas.height];
    const ratio = width / this.canvas.clientWidth;
    const [i, j] = [Math.floor(x * ratio), height - 1 - Math.floor(y * ratio)];
    gl.disable(gl.BLEND);
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
    for (const kind of ["opaque", "wall", "clear"]) this.parts.draw(kind);
    this.drawLinks(this.picking.places);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniform1i(this.picking.places.clipped, 0);
    this.marks.ball.draw();
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
