// The parts of bodies as instances of their meshes, each in the level of detail that its size on the screen asks for.
//
// A level is fine enough where its chord error, seen on the screen, is below a share of a pixel. Instances of one level
// are drawn by one call.

import { Batch, MeshBuffers } from "./batch.js";

const PATTERNED = 1;
const CHOSEN = 2;
// Balls up to this radius on the screen are drawn without triangles where that is quicker, in pixels.
const SMALL_PIXELS = 20;
// A square across z.
const SQUARE = {
  positions: new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]),
  normals: new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
  triangles: new Uint32Array([0, 1, 2, 0, 2, 3]),
};
// Chord errors in pixels that nobody sees, at rest and in motion, and that are borne where a machine is slowest.
export const CHORD_PIXELS = { still: 0.45, moving: 0.9, slowest: 1.4 };

// Bytes of compressed light as amounts of it (IEC 61966-2-1).
const BYTE_LIGHT = Float32Array.from({ length: 256 }, (_, byte) => {
  const s = byte / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
});
export const toLight = (colour) => [BYTE_LIGHT[colour[0]], BYTE_LIGHT[colour[1]], BYTE_LIGHT[colour[2]]];

// Whether colours for a range of curvatures go by their logarithms.
export const isLogarithmic = ([low, high]) => low > 0 && high > 10 * low;

export class Parts {
  constructor(gl, geometry) {
    this.gl = gl;
    this.levels = geometry.meshes.map((mesh) => ({
      mesh,
      buffers: new MeshBuffers(gl, mesh),
      batches: new Map(),
      reach: mesh.positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0) * Math.sqrt(3),
    }));
    this.parts = geometry.parts.map((part) => ({
      ...part,
      light: toLight(part.colour),
      most: Math.max(...part.scale),
    }));
    this.low = [0, 0, 0];
    this.high = [0, 0, 0];
    // Whether small balls are drawn without triangles.
    this.hasSmallBalls = false;
    this.smallBalls = null;
  }

  discard() {
    for (const level of this.levels) {
      for (const batch of level.batches.values()) batch.discard();
      level.buffers.discard(this.gl);
    }
    this.smallBalls?.mesh.discard(this.gl);
    this.smallBalls?.discard();
  }

  // The batch of small balls: a square each, and for what takes triangles those of their coarsest level.
  smallBatch(level) {
    if (!this.smallBalls) {
      let coarsest = level;
      while (coarsest.mesh.coarser !== null) coarsest = this.levels[coarsest.mesh.coarser];
      this.smallBalls = new Batch(this.gl, SQUARE, coarsest.buffers);
    }
    return this.smallBalls;
  }

  // Draws the small balls by their squares, or by triangles; returns how many triangles that were.
  drawSmallBalls(places, isSimple = false) {
    return this.smallBalls ? this.smallBalls.draw(places, isSimple) : 0;
  }

  // How far a body's parts reach from its origin; zero for one without parts.
  reachOf(body) {
    return this.parts
      .filter((part) => part.body === body)
      .reduce((most, part) => Math.max(most, this.levels[part.mesh].reach * part.most + Math.hypot(...part.position)), 0);
  }

  clear() {
    for (const level of this.levels) for (const batch of level.batches.values()) batch.clear();
    this.smallBalls?.clear();
    this.low.fill(Infinity);
    this.high.fill(-Infinity);
  }

  // The batch of a level for bodies of one kind: opaque, clear or, seen from one side alone, wall.
  batch(level, kind) {
    let batch = level.batches.get(kind);
    if (!batch) {
      // Shadows are blurred: they are cast by a coarser level.
      const coarser = (own) => (own.mesh.coarser === null ? own : this.levels[own.mesh.coarser]);
      batch = new Batch(this.gl, level.buffers, coarser(coarser(level)).buffers);
      level.batches.set(kind, batch);
    }
    return batch;
  }

  // The coarsest level whose error is not seen where a metre has so many pixels.
  levelFor(part, pixels, bearable) {
    let level = this.levels[part.mesh];
    while (level.mesh.coarser !== null) {
      const next = this.levels[level.mesh.coarser];
      if (next.mesh.chord * part.most * pixels > bearable) break;
      level = next;
    }
    return level;
  }

  // Adds all parts at the poses of a frame. `pixelsAt` says how many pixels a metre has at a place.
  place(poses, looks, chosen, ghost, pixelsAt, bearable) {
    const { low, high } = this;
    for (const part of this.parts) {
      const look = looks[part.body];
      if (look.hidden || (ghost && !look.free)) continue;
      const opacity = ghost || look.opacity;
      const p = 7 * part.body;
      const [w, x, y, z] = [poses[p + 3], poses[p + 4], poses[p + 5], poses[p + 6]];
      const [a, b, c] = part.position;
      // The body's quaternion turns the part's place: v + 2 w (q × v) + 2 q × (q × v).
      const [s, t, u] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
      const px = poses[p] + a + w * s + y * u - z * t;
      const py = poses[p + 1] + b + w * t + z * s - x * u;
      const pz = poses[p + 2] + c + w * u + x * t - y * s;
      const pixels = pixelsAt(px, py, pz);
      const level = this.levelFor(part, pixels, bearable);
      const isSmall =
        this.hasSmallBalls && level.mesh.isBall && opacity === 1 && !part.oneSided && part.most * pixels < SMALL_PIXELS;
      const batch = isSmall
        ? this.smallBatch(level)
        : this.batch(level, opacity < 1 ? "clear" : part.oneSided ? "wall" : "opaque");
      const at = batch.next();
      const d = batch.data;
      const [i, j, k, l] = part.quaternion;
      d[at] = px;
      d[at + 1] = py;
      d[at + 2] = pz;
      d[at + 3] = w * i - x * j - y * k - z * l;
      d[at + 4] = w * j + x * i + y * l - z * k;
      d[at + 5] = w * k - x * l + y * i + z * j;
      d[at + 6] = w * l + x * k - y * j + z * i;
      d[at + 7] = part.scale[0];
      d[at + 8] = part.scale[1];
      d[at + 9] = part.scale[2];
      d[at + 10] = part.light[0];
      d[at + 11] = part.light[1];
      d[at + 12] = part.light[2];
      d[at + 13] = opacity;
      d[at + 14] = (part.body === chosen && !ghost ? CHOSEN : 0) | (part.patterned ? PATTERNED : 0);
      d[at + 15] = ghost ? 0 : part.body + 1;
      if (ghost) continue;
      const reach = level.reach * part.most;
      if (px - reach < low[0]) low[0] = px - reach;
      if (py - reach < low[1]) low[1] = py - reach;
      if (pz - reach < low[2]) low[2] = pz - reach;
      if (px + reach > high[0]) high[0] = px + reach;
      if (py + reach > high[1]) high[1] = py + reach;
      if (pz + reach > high[2]) high[2] = pz + reach;
    }
  }

  // Draws all of one kind; returns how many triangles that were.
  draw(kind, places, culls = false, isSimple = false) {
    let triangles = 0;
    for (const level of this.levels) {
      const batch = level.batches.get(kind);
      if (!batch || batch.instances === 0) continue;
      // What is closed shows its outer side alone, unless it is cut.
      if (culls && level.mesh.isBall) this.gl.enable(this.gl.CULL_FACE);
      if (places.isBall) this.gl.uniform1i(places.isBall, level.mesh.isBall ? 1 : 0);
      if (places.hasCurvature)
        this.gl.uniform1i(places.hasCurvature, level.mesh.isBall || level.mesh.curvatures ? 1 : 0);
      triangles += batch.draw(places, isSimple);
      this.gl.disable(this.gl.CULL_FACE);
    }
    return triangles;
  }

  // The range of the mean curvatures of all bodies that are shown, in 1/m; null where there are none.
  curvatureRange(looks) {
    let [low, high] = [Infinity, -Infinity];
    const take = (x) => {
      if (!Number.isFinite(x)) return;
      low = Math.min(low, x);
      high = Math.max(high, x);
    };
    const known = new Set();
    for (const part of this.parts) {
      if (looks[part.body].hidden) continue;
      const { mesh } = this.levels[part.mesh];
      if (mesh.isBall) {
        // An ellipsoid bends most and least at the ends of its axes.
        const [a, b, c] = part.scale;
        take((a / b ** 2 + a / c ** 2) / 2);
        take((b / a ** 2 + b / c ** 2) / 2);
        take((c / a ** 2 + c / b ** 2) / 2);
      } else if (mesh.curvatures && !known.has(mesh)) {
        known.add(mesh);
        mesh.curvatures.forEach(take);
      }
    }
    return low <= high ? [low, high] : null;
  }
}
