// Marks of a frame: points of contact, normals, forces, slip, paths and ghosts.

import { dot, norm, roundLength, scale, subtract } from "./algebra.js";
import { contactAt, contactCount } from "./source.js";

const INK = [0.13, 0.13, 0.14, 1];
const PALE = [0.93, 0.93, 0.95, 1];
const FORCE = [0.784, 0.118, 0.078, 1];
const NORMAL = [0.13, 0.45, 0.75, 1];
const FRICTION = [0.85, 0.5, 0.05, 1];
// The longest arrow in distances of the eye from what it looks at.
const LONGEST = 0.16;
// Identities of contacts begin here; bodies are below.
export const CONTACT_IDENTITY = 1 << 23;

// The least of 1, 2, 5 × 10^k that is no less than x.
export function roundUp(x) {
  const below = roundLength(x);
  return below >= x * (1 - 1e-12) ? below : roundLength(2.5 * below * (1 + 1e-12));
}

// Metres of arrow per newton, and what to say of it.
export function forceScale(most, distance) {
  if (!(most > 0)) return { perNewton: 0, legend: "" };
  const length = roundLength(LONGEST * distance);
  const newtons = roundUp((most * length) / (LONGEST * distance));
  return { perNewton: length / newtons, legend: { length, newtons } };
}

// The force on the body that forces move.
function shownForce(contact, bodies) {
  return bodies[contact.b]?.free ? contact.force : scale(contact.force, -1);
}

export function greatestForce(frame) {
  let most = 0;
  for (let k = 0; k < contactCount(frame); k++) most = Math.max(most, norm(contactAt(frame, k).force));
  return most;
}

// Adds the marks of a frame to a picture; returns the legend of the arrows.
export function markContacts(renderer, frame, bodies, show, view, dark, chosen, forceTop) {
  const count = contactCount(frame);
  const many = count > 60 ? 0.45 : 1;
  const unit = 0.0045 * view.distance * many;
  const { perNewton, legend } = forceScale(forceTop, view.distance);
  for (let k = 0; k < count; k++) {
    const contact = contactAt(frame, k);
    const isChosen = chosen === k;
    if (show.points) {
      renderer.ball(
        contact.forcePoint,
        (isChosen ? 1.7 : 1) * unit,
        isChosen ? [1, 0.62, 0.12, 1] : dark ? PALE : INK,
        CONTACT_IDENTITY + k,
      );
    }
    if (show.normals)
      renderer.arrow(contact.forcePoint, scale(contact.normal, 0.08 * view.distance), 0.3 * unit, NORMAL);
    if (show.forces && perNewton > 0)
      renderer.arrow(contact.forcePoint, scale(shownForce(contact, bodies), perNewton), 0.45 * unit, FORCE);
    if (show.friction && perNewton > 0) {
      const force = shownForce(contact, bodies);
      const across = subtract(force, scale(contact.normal, dot(contact.normal, force)));
      renderer.arrow(contact.forcePoint, scale(across, perNewton), 0.45 * unit, FRICTION);
    }
  }
  return show.forces || show.friction ? legend : "";
}

// Axes at the origin of a body.
export function markAxes(renderer, frame, body, turn, length, width) {
  const p = frame.poses.subarray(7 * body, 7 * body + 7);
  const at = [p[0], p[1], p[2]];
  const q = [p[3], p[4], p[5], p[6]];
  const colours = [
    [0.85, 0.2, 0.2, 1],
    [0.15, 0.6, 0.2, 1],
    [0.2, 0.35, 0.85, 1],
  ];
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].forEach((axis, k) => renderer.arrow(at, scale(turn(q, axis), length), width, colours[k]));
}

// The path of a body up to a time, from a curve of its coordinates.
export function markPath(renderer, path, time, colour) {
  let end = path.times.findIndex((t) => t > time);
  if (end < 0) end = path.times.length;
  if (end > 1) renderer.strip(path.points.subarray(0, 3 * end), [...colour.map((c) => c / 255), 0.9]);
}
