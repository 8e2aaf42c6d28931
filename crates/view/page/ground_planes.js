// Half-spaces as patches with squares, and the grid of lines where a scene has none.

import { add, cross, dot, norm, normalize, rotate, roundLength, scale, subtract, tangents } from "./algebra.js";
import { PLANE_FRAGMENT, PLANE_VERTEX } from "./flat_shaders.js";
import { compile } from "./batch.js";
import { toLight } from "./parts.js";

// Patches in half widths of the picture at the target; steep ones are smaller.
const PATCH = 2.6;
const STEEP = 0.6;
// Others that a patch ends at, at most.
const OTHERS = 8;

export class GroundPlanes {
  constructor(gl) {
    this.gl = gl;
    this.program = compile(gl, PLANE_VERTEX, PLANE_FRAGMENT);
    this.planes = [];
    this.square = 1;
    this.level = undefined;
    this.packed = new Float32Array(4 * OTHERS);
    [this.array, this.buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
  }

  // The half-spaces where a frame has their bodies.
  place(planes, poses, looks) {
    this.planes = planes
      .filter((plane) => !looks[plane.body].hidden)
      .map((plane) => {
        const p = poses.subarray(7 * plane.body, 7 * plane.body + 7);
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

  // `light` as `Renderer.setLight` takes it; `bounds` those of the bodies.
  draw(renderer, light, bounds) {
    const { gl } = this;
    const { view, options } = light;
    const radius = options.flat ? 0 : PATCH * view.reach;
    this.square = roundLength(radius / 12);
    this.isSeen = false;
    if (radius === 0) return;
    const faces = (plane) =>
      view.parallel ? dot(plane.normal, view.back) > 0 : dot(plane.normal, view.eye) > plane.offset;
    const seen = this.planes.filter(faces);
    // Where all half-spaces are seen from behind, too.
    const bare = seen.length === 0 && options.grid;
    if (bare) seen.push(this.gridPlane(options.up, bounds));
    this.isSeen = seen.length > 0;
    if (!this.isSeen) return;
    const { places, program } = this.program;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.matrix, false, light.matrix);
    renderer.setClip(this.program, options);
    renderer.setLight(this.program, light);
    gl.uniform1f(places.square, this.square);
    gl.uniform3fv(places.lineColour, options.line);
    gl.uniform1i(places.bare, bare ? 1 : 0);
    gl.bindVertexArray(this.array);
    for (const plane of seen) {
      this.setPlane(plane, seen, radius, light);
      gl.depthMask(!bare && (plane.opacity ?? 1) === 1);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.depthMask(true);
  }

  setPlane(plane, seen, radius, { view, options }) {
    const { gl } = this;
    const { places } = this.program;
    const others = seen.filter((other) => other !== plane).slice(0, OTHERS);
    others.forEach((other, k) => this.packed.set([...other.normal, other.offset], 4 * k));
    gl.uniform4fv(places.others, this.packed);
    gl.uniform1i(places.otherCount, others.length);
    const own = dot(plane.normal, options.up) > 0.8 ? radius : STEEP * radius;
    const middle = add(view.target, scale(plane.normal, plane.offset - dot(plane.normal, view.target)));
    gl.uniform3fv(places.middle, middle);
    gl.uniform3fv(places.foot, scale(plane.normal, plane.offset));
    gl.uniform1f(places.radius, own);
    gl.uniform3fv(places.along, plane.along);
    gl.uniform3fv(places.across, plane.across);
    gl.uniform3fv(places.planeNormal, plane.normal);
    const tone = options.dark ? 0.42 : 1;
    gl.uniform3fv(places.colour, toLight(plane.colour.map((c) => Math.round(c * tone))));
    gl.uniform1f(places.opacity, plane.opacity ?? 1);
  }

  // Where a scene has no half-space, lines below all that is drawn.
  gridPlane(up, { centre, radius }) {
    this.level ??= dot(centre, up) - radius;
    const [along] = tangents(up);
    return { normal: up, offset: this.level, along, across: cross(up, along), colour: [128, 128, 128] };
  }
}
