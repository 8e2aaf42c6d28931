// Marks as instances: balls, arrows, rods and flat ellipses, each in the level of detail that its size on the screen asks
// for.
//
// A level is fine enough where its error, seen on the screen, is below a share of a pixel: a circle in n sides is
// 1 − cos(π/n) of its radius away from the round one. The least level of balls and rods is flat and faces the eye: of what
// is two pixels wide nobody sees the shading.

import { add, cross, norm, normalize, scale, tangents, turnOf } from "./algebra.js";
import { Batch, turned, turnTo } from "./batch.js";

// Sides of the levels, the finest first; zero for the flat one.
const SIDES = [24, 12, 7, 0];
const DISC_SIDES = [48, 24, 12];
// What is flat may have this radius on the screen, in pixels.
const FLAT_PIXELS = 1.6;
// An arrow shorter than this on the screen is not seen, and one shorter than this is a head alone, in pixels.
const SHORTEST = 0.5;
const HEAD_ONLY = 8;

const chordError = (sides) => 1 - Math.cos(Math.PI / sides);

function ballMesh(sides) {
  const rings = Math.max(3, Math.ceil(sides / 2));
  const profile = Array.from({ length: rings + 1 }, (_, k) => {
    const angle = (Math.PI * k) / rings - Math.PI / 2;
    return [Math.cos(angle), Math.sin(angle), Math.cos(angle), Math.sin(angle)];
  });
  return turned(profile, sides);
}

// A flat polygon across z.
function facingMesh(points) {
  const triangles = [];
  for (let k = 2; k < points.length; k++) triangles.push(0, k - 1, k);
  return {
    positions: new Float32Array(points.flat()),
    normals: new Float32Array(points.flatMap(() => [0, 0, 1])),
    triangles: new Uint32Array(triangles),
  };
}

// As large as the disc that it stands for.
const square = () => {
  const half = Math.sqrt(Math.PI) / 2;
  return [
    [-half, -half, 0],
    [half, -half, 0],
    [half, half, 0],
    [-half, half, 0],
  ];
};

const MESHES = {
  // Flat ones lie across z; those along a line have it along x.
  ball: (sides) => (sides > 0 ? ballMesh(sides) : facingMesh(square())),
  shaft: (sides) =>
    sides > 0
      ? turned(
          [
            [1, 0, 1, 0],
            [1, 1, 1, 0],
          ],
          sides,
        )
      : facingMesh([
          [0, -1, 0],
          [1, -1, 0],
          [1, 1, 0],
          [0, 1, 0],
        ]),
  head: (sides) =>
    sides > 0
      ? turned(
          [
            [0, 0, 0, -1],
            [1, 0, 0, -1],
            [1, 0, 0.9, 0.4],
            [0, 1, 0.9, 0.4],
          ],
          sides,
        )
      : facingMesh([
          [0, -1, 0],
          [1, 0, 0],
          [0, 1, 0],
        ]),
  disc: (sides) =>
    turned(
      [
        [0, 0, 0, 1],
        [1, 0, 0, 1],
      ],
      sides,
    ),
};

// A kind of mark in all its levels, made when they are first needed.
class MarkLevels {
  constructor(gl, kind, sides) {
    Object.assign(this, { gl, kind, sides });
    this.batches = sides.map(() => null);
  }

  // The coarsest level that is fine enough for a radius of so many pixels.
  levelFor(pixels, bearable) {
    let level = 0;
    while (level + 1 < this.sides.length) {
      const sides = this.sides[level + 1];
      const isFine = sides > 0 ? chordError(sides) * pixels <= bearable : pixels <= FLAT_PIXELS;
      if (!isFine) break;
      level += 1;
    }
    return level;
  }

  isFlat(level) {
    return this.sides[level] === 0;
  }

  batch(level) {
    this.batches[level] ??= new Batch(this.gl, MESHES[this.kind](this.sides[level]));
    return this.batches[level];
  }

  get made() {
    return this.batches.filter(Boolean);
  }
}

export class MarkBatches {
  constructor(gl) {
    this.kinds = {
      disc: new MarkLevels(gl, "disc", DISC_SIDES),
      ball: new MarkLevels(gl, "ball", SIDES),
      shaft: new MarkLevels(gl, "shaft", SIDES),
      head: new MarkLevels(gl, "head", SIDES),
    };
    this.look({ back: [0, 0, 1] }, () => 1e9, 0);
  }

  // How a picture is seen: what is added next is meant for it.
  look(view, pixelsAt, bearable) {
    Object.assign(this, { back: view.back, pixelsAt, bearable });
    this.facing = turnTo(view.back);
  }

  clear() {
    for (const kind of Object.values(this.kinds)) for (const batch of kind.made) batch.clear();
  }

  // How many there are of a kind.
  count(kind) {
    return this.kinds[kind].made.reduce((sum, batch) => sum + batch.instances, 0);
  }

  // Where all instances of a kind have their numbers, for those who check them.
  instances(kind) {
    const used = (batch) => [...batch.data.subarray(0, batch.instances * (batch.data.length / batch.room))];
    return this.kinds[kind].made.flatMap(used);
  }

  ball(at, radius, colour, identity = 0) {
    const { ball } = this.kinds;
    const level = ball.levelFor(radius * this.pixelsAt(...at), this.bearable);
    const turn = ball.isFlat(level) ? this.facing : [1, 0, 0, 0];
    ball.batch(level).push(at, turn, [radius, radius, radius], colour, 0, identity);
  }

  // Adds what lies along a unit vector: a shaft or a head.
  along(kind, at, axis, width, length, pixels, colour) {
    const own = this.kinds[kind];
    const level = own.levelFor(width * pixels, this.bearable);
    if (!own.isFlat(level)) {
      own.batch(level).push(at, turnTo(axis), [width, width, length], colour, 0, 0);
      return;
    }
    const across = cross(this.back, axis);
    const side = norm(across) > 1e-6 ? normalize(across) : tangents(axis)[0];
    own.batch(level).push(at, turnOf(axis, side, cross(axis, side)), [length, width, width], colour, 0, 0);
  }

  // An arrow from a place along a vector.
  arrow(at, vector, width, colour) {
    const length = norm(vector);
    const pixels = this.pixelsAt(...at);
    if (!(length * pixels > SHORTEST)) return;
    const axis = scale(vector, 1 / length);
    const isShort = length * pixels < HEAD_ONLY && width * pixels <= FLAT_PIXELS;
    const head = isShort ? length : Math.min(4.5 * width, 0.6 * length);
    if (!isShort) this.along("shaft", at, axis, width, length - head, pixels, colour);
    this.along("head", add(at, scale(axis, length - head)), axis, Math.min(0.42 * head, 1.89 * width), head, pixels, colour);
  }

  // A rod from one place along a vector.
  rod(at, vector, width, colour) {
    const length = norm(vector);
    if (length > 0) this.along("shaft", at, scale(vector, 1 / length), width, length, this.pixelsAt(...at), colour);
  }

  // A flat ellipse about a place, turned by a quaternion from its axes x, y and its normal z.
  disc(at, turn, [long, short], colour) {
    const { disc } = this.kinds;
    const level = disc.levelFor(long * this.pixelsAt(...at), this.bearable);
    disc.batch(level).push(at, turn, [long, short, Math.min(long, short)], colour, 0, 0);
  }

  // Draws all, or those that can be picked; returns how many triangles that were.
  draw(places, kinds = Object.keys(this.kinds)) {
    let triangles = 0;
    for (const kind of kinds) for (const batch of this.kinds[kind].made) triangles += batch.draw(places);
    return triangles;
  }
}
