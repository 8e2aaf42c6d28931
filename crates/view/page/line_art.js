// Thin lines: paths, contours, borders of charts.

import { LINE_FRAGMENT, LINE_VERTEX } from "./flat_shaders.js";
import { compile } from "./batch.js";

export class LineArt {
  constructor(gl) {
    this.gl = gl;
    this.program = compile(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.loose = this.makeArray();
    this.outlines = [];
    this.strips = [];
  }

  makeArray(numbers = null) {
    const { gl } = this;
    const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (numbers) gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    return { array, buffer };
  }

  // Lines on bodies, each a body and points in its frame, in place of those there were.
  setOutlines(lines) {
    for (const { array, buffer } of this.outlines) {
      this.gl.deleteVertexArray(array);
      this.gl.deleteBuffer(buffer);
    }
    const byBody = new Map();
    for (const { body, points } of lines) {
      const segments = byBody.get(body) ?? [];
      for (let k = 0; k + 5 < points.length; k += 3) segments.push(...points.subarray(k, k + 6));
      byBody.set(body, segments);
    }
    this.outlines = [...byBody].map(([body, segments]) => ({
      body,
      count: segments.length / 3,
      ...this.makeArray(new Float32Array(segments)),
    }));
  }

  use(renderer, matrix, options) {
    const { gl } = this;
    const { places, program } = this.program;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.matrix, false, matrix);
    gl.uniform3f(places.place, 0, 0, 0);
    gl.uniform4f(places.turn, 1, 0, 0, 0);
    renderer.setClip(this.program, options);
  }

  // The strips that are over everything, or those that may be hidden.
  drawStrips(renderer, matrix, options, over) {
    const { gl } = this;
    const strips = this.strips.filter((strip) => strip.over === over);
    if (strips.length === 0) return;
    this.use(renderer, matrix, options);
    gl.bindVertexArray(this.loose.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.loose.buffer);
    for (const { points, colour } of strips) {
      gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
      gl.uniform4fv(this.program.places.colour, colour);
      gl.drawArrays(gl.LINE_STRIP, 0, points.length / 3);
    }
  }

  // The lines on bodies that are shown.
  drawOutlines(renderer, matrix, options) {
    const { gl } = this;
    const { places } = this.program;
    this.use(renderer, matrix, options);
    gl.uniform4fv(places.colour, options.dark ? [0.92, 0.95, 1, 0.9] : [0.05, 0.07, 0.12, 0.9]);
    for (const { body, array, count } of this.outlines) {
      if (renderer.looks[body].hidden) continue;
      const p = renderer.poses.subarray(7 * body, 7 * body + 7);
      gl.uniform3f(places.place, p[0], p[1], p[2]);
      gl.uniform4f(places.turn, p[3], p[4], p[5], p[6]);
      gl.bindVertexArray(array);
      gl.drawArrays(gl.LINES, 0, count);
    }
  }
}
