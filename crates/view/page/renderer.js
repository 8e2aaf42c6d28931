// Draws frames: meshes as instances, half-spaces as patches, lines and marks over them.

import { add, dot, lookAt, multiply, norm, normalize, orthographic, scale, subtract, tangents } from "./algebra.js";
import { PICK_FRAGMENT, SHADOW_FRAGMENT, SOLID_FRAGMENT, SOLID_VERTEX } from "./shaders.js";
import { BALL_FRAGMENT, BALL_VERTEX } from "./ball_shaders.js";
import { compile } from "./batch.js";
import { CHORD_PIXELS, isLogarithmic, Parts } from "./parts.js";
import { isSoftware, PickTarget, ShadowMap, SmoothTarget } from "./targets.js";
import { GroundPlanes } from "./ground_planes.js";
import { endsOf, Links } from "./links.js";
import { LineArt } from "./line_art.js";
import { MarkBatches } from "./mark_batches.js";

// Shares of the pixels' sides that are drawn where a machine is too slow for all of them.
const COARSE = [1, 0.75, 0.5, 0.35];

export class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, depth: true, stencil: false });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.isSoftware = isSoftware(gl);
    this.solid = compile(gl, SOLID_VERTEX, SOLID_FRAGMENT);
    this.smallBalls = null;
    this.picking = compile(gl, SOLID_VERTEX, PICK_FRAGMENT);
    this.shadow = compile(gl, SOLID_VERTEX, SHADOW_FRAGMENT);
    this.shadowMap = new ShadowMap(gl);
    this.smooth = new SmoothTarget(gl);
    this.pickTarget = new PickTarget(gl);
    this.ground = new GroundPlanes(gl);
    this.lineArt = new LineArt(gl);
    this.links = new Links(gl);
    this.marks = new MarkBatches(gl);
    // How much is left out: 0 nothing, 3 two thirds of the pixels' sides and shadows. `moving` says that what is seen now
    // is gone in a moment.
    this.coarse = 0;
    this.moving = false;
    // Whether there is time for several samples per pixel.
    this.settled = true;
    this.bounds = { centre: [0, 0, 0], radius: 1 };
    this.triangles = 0;
    // What the graphics card is given: matrices in single precision.
    this.matrix = new Float32Array(16);
    this.shadowMatrix = new Float32Array(16);
  }

  setGeometry(geometry) {
    this.geometry = geometry;
    this.parts?.discard();
    this.parts = new Parts(this.gl, geometry);
    this.lineArt.setOutlines([]);
    this.ground.level = undefined;
  }

  setOutlines(lines) {
    this.lineArt.setOutlines(lines);
  }

  // The half-spaces that are shown, and the side of the squares on them.
  get planes() {
    return this.ground.planes;
  }

  // Whether squares of a floor or of the grid are seen.
  get hasSquares() {
    return this.ground.isSeen;
  }

  get square() {
    return this.ground.square;
  }

  // Puts all parts where a frame has them. `looks` says for each body its opacity and whether it is hidden.
  place(frame, looks, chosen, ghosts, view, chosenLine = null, isCut = false) {
    const bearable = CHORD_PIXELS[this.coarse > 1 ? "slowest" : this.moving ? "moving" : "still"];
    const perMetre = this.canvas.width / (2 * view.across);
    const [ex, ey, ez] = view.eye;
    const [bx, by, bz] = view.back;
    const nearest = 0.02 * view.distance;
    const pixelsAt = view.parallel
      ? () => perMetre / view.distance
      : (x, y, z) => perMetre / Math.max(nearest, (ex - x) * bx + (ey - y) * by + (ez - z) * bz);
    this.parts.clear();
    // A cut shows the insides of bodies, which small balls without triangles have not.
    this.parts.hasSmallBalls = this.isSoftware && this.coarse > 0 && !isCut;
    this.parts.place(frame.poses, looks, chosen, 0, pixelsAt, bearable);
    for (const ghost of ghosts) this.parts.place(ghost.frame.poses, looks, null, ghost.opacity, pixelsAt, bearable);
    this.links.place(this.geometry, frame.poses, looks, chosenLine);
    this.ground.place(this.geometry.planes, frame.poses, looks);
    this.marks.look(view, pixelsAt, bearable);
    const { low, high } = this.parts;
    if (low[0] <= high[0]) {
      this.bounds = { centre: scale(add(low, high), 0.5), radius: Math.max(1e-9, 0.5 * norm(subtract(high, low))) };
    }
    this.poses = frame.poses;
    this.looks = looks;
  }

  // The ends of a line between bodies.
  lineEnds(line, poses) {
    return endsOf(line, poses);
  }

  clearMarks() {
    this.marks.clear();
    this.lineArt.strips = [];
  }

  // An arrow from a place along a vector.
  arrow(at, vector, width, colour) {
    this.marks.arrow(at, vector, width, colour);
  }

  // A rod from one place to another.
  rod(a, b, width, colour) {
    this.marks.rod(a, subtract(b, a), width, colour);
  }

  ball(at, radius, colour, identity = 0) {
    this.marks.ball(at, radius, colour, identity);
  }

  // A flat ellipse about a place, turned by a quaternion from its axes x, y and its normal z.
  disc(at, turn, semiAxes, colour) {
    this.marks.disc(at, turn, semiAxes, colour);
  }

  // A line through points; over everything, or hidden by what is in front.
  strip(points, colour, over = false) {
    this.lineArt.strips.push({ points, colour, over });
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
    this.matrix.set(view.matrix);
    this.shadowMatrix.set(this.lightMatrix(towards));
    const { matrix, shadowMatrix } = this;
    const light = { view, matrix, towards, shadowMatrix, options, taps: this.coarse > 0 ? 0 : 1 };
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
    this.useSolid(this.solid, light);
    this.drawSolids("opaque", !options.clip);
    this.drawSmallBalls(light);
    gl.useProgram(this.solid.program);
    gl.uniform1i(this.solid.places.oneSided, 1);
    this.drawSolids("wall");
    gl.uniform1i(this.solid.places.oneSided, 0);
    gl.uniform1i(this.solid.places.hasCurvature, 0);
    this.triangles += this.links.draw(this.solid.places);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.ground.draw(this, light, this.bounds);
    this.lineArt.drawStrips(this, matrix, options, false);
    if (options.outlines) this.lineArt.drawOutlines(this, matrix, options);
    this.useSolid(this.solid, light);
    gl.depthMask(false);
    this.drawSolids("clear");
    gl.depthMask(true);
    // Marks are never hidden.
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.lineArt.drawStrips(this, matrix, { ...options, clip: null }, true);
    gl.useProgram(this.solid.program);
    for (const name of ["clipped", "shadows", "curved", "hasCurvature", "isBall"]) gl.uniform1i(this.solid.places[name], 0);
    this.triangles += this.marks.draw(this.solid.places);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
    if (isSmooth) this.smooth.end(width, height);
  }

  drawSolids(kind, culls = false) {
    this.triangles += this.parts.draw(kind, this.solid.places, culls);
  }

  drawSmallBalls(light) {
    if (!this.parts.smallBalls?.instances) return;
    this.smallBalls ??= compile(this.gl, BALL_VERTEX, BALL_FRAGMENT);
    this.useSolid(this.smallBalls, light);
    this.gl.uniform1i(this.smallBalls.places.isBall, 1);
    this.gl.uniform1i(this.smallBalls.places.hasCurvature, 1);
    this.triangles += this.parts.drawSmallBalls(this.smallBalls.places);
  }

  useSolid(program, light) {
    const gl = this.gl;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.places.matrix, false, light.matrix);
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
    gl.uniformMatrix4fv(places.shadowMatrix, false, shadowMatrix);
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
    gl.uniformMatrix4fv(this.shadow.places.matrix, false, matrix);
    this.setClip(this.shadow, options);
    this.triangles += this.parts.draw("opaque", this.shadow.places, !options.clip, true);
    this.triangles += this.parts.drawSmallBalls(this.shadow.places, true);
  }

  // What is seen at a place of the canvas, in pixels of the page: 0 for nothing, body + 1, or what a mark was given.
  pick(x, y, view, options) {
    const gl = this.gl;
    const [width, height] = [this.canvas.width, this.canvas.height];
    const ratio = width / this.canvas.clientWidth;
    return this.pickTarget.read(Math.floor(x * ratio), height - 1 - Math.floor(y * ratio), width, height, () => {
      gl.disable(gl.BLEND);
      gl.useProgram(this.picking.program);
      this.matrix.set(view.matrix);
      gl.uniformMatrix4fv(this.picking.places.matrix, false, this.matrix);
      this.setClip(this.picking, options);
      for (const kind of ["opaque", "wall", "clear"]) this.parts.draw(kind, this.picking.places);
      this.parts.drawSmallBalls(this.picking.places, true);
      this.links.draw(this.picking.places);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.uniform1i(this.picking.places.clipped, 0);
      this.marks.draw(this.picking.places, ["ball"]);
    });
  }
}
