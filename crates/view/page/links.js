// Lines between bodies: rods and ropes, and springs as coils.

import { add, norm, normalize, rotate, subtract, tangents, turnOf } from "./algebra.js";
import { Batch, coilMesh, rodMesh } from "./batch.js";

// Lines between bodies are picked by their place from here on.
export const LINE_IDENTITY = 1 << 22;
// Radii of the wires in that of sticks, and that of coils to the middle of their wire.
const ROD = 0.5;
const WIRE = 0.35;
const COIL = 1.8;
const CHOSEN_LINE = [0.8, 0.3, 0.02, 1];
const DARK_LINE = [0.07, 0.073, 0.083, 1];

// The ends of a line between bodies.
export function endsOf(line, poses) {
  return line.ends.map((end) => {
    const p = poses.subarray(7 * end.body, 7 * end.body + 7);
    return add([p[0], p[1], p[2]], rotate([p[3], p[4], p[5], p[6]], end.point));
  });
}

export class Links {
  constructor(gl) {
    this.gl = gl;
    this.rod = new Batch(gl, rodMesh());
    this.coil = new Batch(gl, coilMesh());
    this.radius = 0;
  }

  place({ lines, radius }, poses, looks, chosen) {
    const { rod, coil } = this;
    this.radius = radius;
    rod.clear();
    coil.clear();
    lines.forEach((line, k) => {
      if (line.ends.some((end) => looks[end.body].hidden)) return;
      const [a, b] = endsOf(line, poses);
      const length = norm(subtract(b, a));
      if (!(length > 0)) return;
      const axis = normalize(subtract(b, a));
      const turn = turnOf(...tangents(axis), axis);
      const colour = k === chosen ? CHOSEN_LINE : DARK_LINE;
      const [batch, width] = line.coiled ? [coil, COIL * radius] : [rod, 0];
      batch.push(a, turn, [width, width, length], colour, 0, LINE_IDENTITY + k);
    });
  }

  // Draws all with a program, whose wires swell to the same radius however long they are; returns how many triangles that
  // were.
  draw(places) {
    const { gl, radius } = this;
    gl.uniform1f(places.swell, ROD * radius);
    let triangles = this.rod.draw(places);
    gl.uniform1f(places.swell, WIRE * radius);
    triangles += this.coil.draw(places);
    gl.uniform1f(places.swell, 0);
    return triangles;
  }
}
