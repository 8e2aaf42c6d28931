// Marks of a frame: points of contact, their frames, forces, slip, ellipses, joints, paths.

import { cross, dot, norm, normalize, roundLength, scale, subtract, tangents, turnOf } from "./algebra.js";
import { contactAt, contactCount, FORCE_AT, greatestOf, LONG_AT, PRESSURE_AT, SLIP_AT } from "./source.js";
import { toLight } from "./parts.js";

const lit = (red, green, blue, opacity = 1) => [...toLight([red, green, blue]), opacity];
const INK = lit(33, 33, 36);
const PALE = lit(237, 237, 242);
const FORCE = lit(200, 30, 20);
const FRICTION = lit(217, 128, 13);
const SLIP = lit(140, 60, 190);
const CHOSEN_MARK = lit(255, 158, 31);
const JOINT = lit(20, 120, 140);
const CONTOUR = lit(240, 90, 10);
// Segments of contours that are drawn as rods.
const RODS = 4000;
// Normal, tangent and binormal.
const FRAME = { n: lit(33, 90, 200), t: lit(205, 45, 45), b: lit(25, 140, 60) };
// The longest arrow in distances of the eye from what it looks at, and the longest ellipse.
const LONGEST = 0.16;
const LARGEST = 0.035;
// Identities of contacts and joints begin here; those of lines between bodies and of bodies are below.
export const CONTACT_IDENTITY = 1 << 23;
export const JOINT_IDENTITY = 3 << 21;

// The least of 1, 2, 5 × 10^k that is no less than x.
export function roundUp(x) {
  const below = roundLength(x);
  return below >= x * (1 - 1e-12) ? below : roundLength(2.5 * below * (1 + 1e-12));
}

// Metres of arrow per unit of what it shows, and what to say of it.
export function arrowScale(most, distance) {
  if (!(most > 0)) return null;
  const length = roundLength(LONGEST * distance);
  const value = roundUp((most * length) / (LONGEST * distance));
  return { perUnit: length / value, length, value };
}

// How many times larger than life ellipses are drawn: as they are where they can be seen.
export function ellipseScale(longest, distance) {
  return longest > 0 ? Math.max(1, roundLength((LARGEST * distance) / longest)) : 1;
}

// The greatest values so far, by which scales are chosen: they stay while a run is played.
export function noteTops(tops, frame) {
  tops.force = Math.max(tops.force, greatestOf(frame, FORCE_AT));
  tops.slip = Math.max(tops.slip, greatestOf(frame, SLIP_AT));
  tops.long = Math.max(tops.long, greatestOf(frame, LONG_AT, 1));
  tops.pressure = Math.max(tops.pressure, greatestOf(frame, PRESSURE_AT, 1));
}

// The force on the body that forces move.
function shownForce(contact, bodies) {
  return bodies[contact.b]?.free ? contact.force : scale(contact.force, -1);
}

// The frame of a contact: n from A to B, t along the ellipse's long axis where there is one, b across both.
export function contactFrame(contact) {
  const n = contact.normal;
  const level = subtract(contact.along, scale(n, dot(n, contact.along)));
  const t = norm(level) > 0.5 ? normalize(level) : tangents(n)[0];
  return { n, t, b: cross(n, t) };
}

// Pressure from none to the greatest: from blue over white to red.
function pressureColour(share) {
  const s = Math.max(0, Math.min(1, share));
  const fade = (from, to, t) => Math.round(from + (to - from) * t);
  const stops = [
    [60, 110, 200],
    [245, 235, 220],
    [190, 20, 40],
  ];
  const [a, b, t] = s < 0.5 ? [stops[0], stops[1], 2 * s] : [stops[1], stops[2], 2 * s - 1];
  return lit(fade(a[0], b[0], t), fade(a[1], b[1], t), fade(a[2], b[2], t), 0.85);
}

// Adds the marks of a frame to a picture; returns what their scales are. `tops` has the greatest values of the run so
// far.
export function markContacts(renderer, frame, bodies, show, view, dark, chosen, tops) {
  const count = contactCount(frame);
  const unit = 0.0045 * view.distance * (count > 60 ? 0.45 : 1);
  const force = arrowScale(tops.force, view.distance);
  const slip = arrowScale(tops.slip, view.distance);
  const enlarged = ellipseScale(tops.long, view.distance);
  let ellipses = 0;
  for (let k = 0; k < count; k++) {
    const contact = contactAt(frame, k);
    const at = contact.forcePoint;
    if (show.ellipses && contact.long > 0 && contact.short > 0) {
      const { n, t, b } = contactFrame(contact);
      const size = [contact.long * enlarged, contact.short * enlarged];
      renderer.disc(at, turnOf(t, b, n), size, pressureColour(contact.pressure / tops.pressure));
      ellipses += 1;
    }
    if (show.points) {
      const isChosen = chosen === k;
      const colour = isChosen ? CHOSEN_MARK : dark ? PALE : INK;
      renderer.ball(at, (isChosen ? 1.7 : 1) * unit, colour, CONTACT_IDENTITY + k);
    }
    if (show.normals) renderer.arrow(at, scale(contact.normal, 0.08 * view.distance), 0.3 * unit, FRAME.n);
    if (show.frames)
      for (const [key, axis] of Object.entries(contactFrame(contact)))
        renderer.arrow(at, scale(axis, 0.06 * view.distance), 0.35 * unit, FRAME[key]);
    if (show.forces && force) renderer.arrow(at, scale(shownForce(contact, bodies), force.perUnit), 0.45 * unit, FORCE);
    if (show.friction && force) {
      const all = shownForce(contact, bodies);
      const across = subtract(all, scale(contact.normal, dot(contact.normal, all)));
      renderer.arrow(at, scale(across, force.perUnit), 0.45 * unit, FRICTION);
    }
    if (show.slip && slip) renderer.arrow(at, scale(contact.slipVelocity, slip.perUnit), 0.4 * unit, SLIP);
  }
  return {
    force: (show.forces || show.friction) && force,
    slip: show.slip && slip,
    enlarged: ellipses > 0 ? enlarged : 0,
    pressure: ellipses > 0 ? tops.pressure : 0,
    frames: show.frames && count > 0,
  };
}

// Joints, where both bodies are shown.
export function markJoints(renderer, places, looks, poses, turn, view, chosen) {
  places.forEach(([end, other], k) => {
    if (looks[end.body].hidden || looks[other.body].hidden) return;
    const p = poses.subarray(7 * end.body, 7 * end.body + 7);
    const arm = turn([p[3], p[4], p[5], p[6]], end.point);
    const at = [p[0] + arm[0], p[1] + arm[1], p[2] + arm[2]];
    const isChosen = chosen === k;
    const radius = (isChosen ? 0.011 : 0.007) * view.distance;
    renderer.ball(at, radius, isChosen ? CHOSEN_MARK : JOINT, JOINT_IDENTITY + k);
  });
}

// Axes at the origin of a body.
export function markAxes(renderer, frame, body, turn, length, width) {
  const p = frame.poses.subarray(7 * body, 7 * body + 7);
  const at = [p[0], p[1], p[2]];
  const q = [p[3], p[4], p[5], p[6]];
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  [FRAME.t, FRAME.b, FRAME.n].forEach((colour, k) =>
    renderer.arrow(at, scale(turn(q, axes[k]), length), width, colour),
  );
}

// The path of a body up to a time, from a curve of its coordinates.
export function markPath(renderer, path, time, colour) {
  let end = path.times.findIndex((t) => t > time);
  if (end < 0) end = path.times.length;
  if (end > 1) renderer.strip(path.points.subarray(0, 3 * end), [...colour.map((c) => c / 255), 0.9]);
}

// The contours of regions: thin rods, or lines where there are very many of them.
export function markContours(renderer, lines, view) {
  const count = lines.reduce((sum, { points }) => sum + points.length / 3 - 1, 0);
  for (const { points } of lines) {
    if (count > RODS) {
      renderer.strip(points, [0.95, 0.35, 0.05, 1], true);
      continue;
    }
    for (let k = 0; k + 5 < points.length; k += 3)
      renderer.rod(points.subarray(k, k + 3), points.subarray(k + 3, k + 6), 0.0013 * view.distance, CONTOUR);
  }
}
