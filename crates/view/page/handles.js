// Handles of a body in the picture of a scene: three arrows that move it along the axes of the world, three rings that turn
// it about them. While one is dragged the picture follows; when it is let go the text of the scene does.
//
// With the pose (x, q) of the body, an axis a and the screen position s(x) of a point, a drag by δ pixels moves it by
// δ·j / |j|² along a, j = ∂s/∂a, and turns it by the angle that the pointer has gone around s(x), with the sign of a seen
// from the eye.

import { add, dot, product, project, scale } from "./algebra.js";
import { parseMeasure, writeMeasure } from "./measure.js";

const SVG = "http://www.w3.org/2000/svg";
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const COLOURS = ["#d64541", "#2e9e46", "#3573d9"];
const NAMES = ["x", "y", "z"];
// Of the distance of the camera: length of an arrow, radius of a ring.
const ARROW = 0.16;
const RING = 0.11;
// What a press of an arrow key does: of the camera's distance, and in rad.
const KEY_STEP = 0.005;
const KEY_TURN = Math.PI / 180;

const part = (tag, attributes) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

// The quaternion of a turn about an axis.
export const turnAbout = (axis, angle) => [Math.cos(angle / 2), ...scale(axis, Math.sin(angle / 2))];

// The axis and angle of a unit quaternion, the angle from 0 to π.
export function axisAngle([w, x, y, z]) {
  const sign = w < 0 ? -1 : 1;
  const length = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(length, sign * w);
  return { axis: length < 1e-9 ? [0, 0, 1] : scale([x, y, z], sign / length), angle };
}

export class Handles {
  // `moved` takes a name, how far it was moved and the quaternion of its orientation, null where it was not turned.
  constructor(app, moved) {
    Object.assign(this, { app, moved, drag: null });
    const stage = app.renderer.canvas.parentElement;
    this.svg = part("svg", { class: "handles", role: "group", "aria-label": "Handles of the chosen body" });
    Object.assign(this.svg.style, {
      position: "absolute",
      inset: "0",
      width: "100%",
      height: "100%",
      pointerEvents: "none",
    });
    app.renderer.canvas.after(this.svg);
    this.stage = stage;
    this.build();
    const paint = app.paint.bind(app);
    app.paint = () => {
      paint();
      this.place();
    };
    app.changed();
  }

  build() {
    this.parts = AXES.flatMap((axis, k) =>
      ["move", "turn"].map((what) => {
        const shape = part("path", {
          fill: "none",
          stroke: COLOURS[k],
          "stroke-width": what === "move" ? 5 : 4,
          "stroke-linecap": "round",
          tabindex: "0",
          role: "slider",
          "data-handle": `${what}-${NAMES[k]}`,
          "aria-label": `${what === "move" ? "Move along" : "Turn about"} ${NAMES[k]}`,
          "aria-valuenow": "0",
        });
        Object.assign(shape.style, {
          pointerEvents: "stroke",
          cursor: what === "move" ? "move" : "grab",
          touchAction: "none",
        });
        const handle = { axis, what, shape };
        shape.addEventListener("pointerdown", (event) => this.begin(handle, event));
        shape.addEventListener("pointermove", (event) => this.follow(event));
        shape.addEventListener("pointerup", (event) => this.end(event));
        shape.addEventListener("pointercancel", () => this.cancel());
        shape.addEventListener("keydown", (event) => this.press(handle, event));
        this.svg.append(shape);
        return handle;
      }),
    );
  }

  // The body whose handles are shown: one of the scene's own that is chosen.
  get body() {
    const body = this.app.choice?.body;
    return body !== undefined && this.canMove?.(this.app.about.bodies[body]?.name) ? body : null;
  }

  pose() {
    const at = 7 * this.body;
    const pose = this.app.frame.poses.subarray(at, at + 7);
    return { at: [pose[0], pose[1], pose[2]], turn: [pose[3], pose[4], pose[5], pose[6]] };
  }

  screen(point) {
    const p = project(this.app.view.matrix, point) ?? [NaN, NaN];
    return [(0.5 + 0.5 * p[0]) * this.stage.clientWidth, (0.5 - 0.5 * p[1]) * this.stage.clientHeight];
  }

  place() {
    const shown = this.body !== null && this.app.view;
    this.svg.style.display = shown ? "" : "none";
    if (!shown) return;
    const { at } = this.pose();
    const far = this.app.view.distance;
    for (const { axis, what, shape } of this.parts) {
      const points =
        what === "move"
          ? [this.screen(add(at, scale(axis, 0.03 * far))), this.screen(add(at, scale(axis, ARROW * far)))]
          : this.ring(at, axis, RING * far);
      // What is behind the eye has no place on the screen.
      shape.style.display = points.flat().every(Number.isFinite) ? "" : "none";
      shape.setAttribute(
        "d",
        `M${points.map((p) => p.map((x) => x.toFixed(1)).join(" ")).join("L")}${what === "turn" ? "Z" : ""}`,
      );
    }
  }

  ring(at, axis, radius) {
    const k = AXES.indexOf(axis);
    const [u, v] = [AXES[(k + 1) % 3], AXES[(k + 2) % 3]];
    return Array.from({ length: 48 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 48;
      return this.screen(add(at, add(scale(u, radius * Math.cos(angle)), scale(v, radius * Math.sin(angle)))));
    });
  }

  begin(handle, event) {
    if (this.body === null) return;
    event.preventDefault();
    event.stopPropagation();
    handle.shape.setPointerCapture(event.pointerId);
    const pose = this.pose();
    const centre = this.screen(pose.at);
    const far = this.app.view.distance;
    const end = this.screen(add(pose.at, scale(handle.axis, 0.01 * far)));
    const bounds = this.svg.getBoundingClientRect();
    const from = [event.clientX - bounds.x, event.clientY - bounds.y];
    this.drag = {
      handle,
      pose,
      centre,
      from,
      along: [(end[0] - centre[0]) / (0.01 * far), (end[1] - centre[1]) / (0.01 * far)],
      angle: 0,
      last: from,
      amount: 0,
    };
  }

  follow(event) {
    const { drag } = this;
    if (!drag) return;
    const bounds = this.svg.getBoundingClientRect();
    const now = [event.clientX - bounds.x, event.clientY - bounds.y];
    if (drag.handle.what === "move") {
      const [jx, jy] = drag.along;
      const size = jx * jx + jy * jy;
      // An axis that points at the eye moves nothing.
      drag.amount = size < 1e-6 ? 0 : ((now[0] - drag.from[0]) * jx + (now[1] - drag.from[1]) * jy) / size;
    } else {
      const angle = (p) => Math.atan2(-(p[1] - drag.centre[1]), p[0] - drag.centre[0]);
      const step = angle(now) - angle(drag.last);
      const towards = Math.sign(dot(drag.handle.axis, this.app.view.back)) || 1;
      drag.amount += towards * (step - 2 * Math.PI * Math.round(step / (2 * Math.PI)));
      drag.last = now;
    }
    this.pretend(drag);
  }

  // Shows the body where it would be.
  pretend({ handle, pose, amount }) {
    const at = 7 * this.body;
    const { poses } = this.app.frame;
    if (handle.what === "move") poses.set(add(pose.at, scale(handle.axis, amount)), at);
    else poses.set(product(turnAbout(handle.axis, amount), pose.turn), at + 3);
    handle.shape.setAttribute("aria-valuenow", String(Number(amount.toPrecision(4))));
    this.app.changed();
  }

  end(event) {
    const { drag } = this;
    if (!drag) return;
    event.stopPropagation();
    this.drag = null;
    this.tell(drag);
  }

  cancel() {
    const { drag } = this;
    this.drag = null;
    if (drag) this.pretend({ ...drag, amount: 0 });
  }

  tell({ handle, pose, amount }) {
    if (amount === 0) return;
    const { name } = this.app.about.bodies[this.body];
    const moved = handle.what === "move" ? scale(handle.axis, amount) : null;
    const turned = handle.what === "turn" ? product(turnAbout(handle.axis, amount), pose.turn) : null;
    this.moved(name, moved, turned);
  }

  press(handle, event) {
    const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!sign || this.body === null) return;
    event.preventDefault();
    event.stopPropagation();
    const amount = sign * (handle.what === "move" ? KEY_STEP * this.app.view.distance : KEY_TURN);
    const drag = { handle, pose: this.pose(), amount };
    this.pretend(drag);
    this.tell(drag);
  }
}

// The changes of a scene's text that move and turn a body: {edits}, or {reason} where the text says it by other means.
export function poseEdits(tree, name, moved, turned) {
  const k = (tree?.bodies ?? []).findIndex((body) => body.name === name);
  if (k < 0) return { reason: `${name} is none of the bodies of this text: its place is said elsewhere` };
  const path = ["bodies", k];
  if (turned) {
    const { axis, angle } = axisAngle(normalizeTurn(turned));
    const round = (x) => Number(x.toFixed(6));
    const value = { axis: axis.map(round), angle: `${Number(((180 / Math.PI) * angle).toFixed(4))} deg` };
    return { edits: [{ path: [...path, "orientation"], action: "set", value }] };
  }
  const old = tree.bodies[k].position ?? [0, 0, 0];
  const cells = old.map((cell) => parseMeasure(cell, "length"));
  const changed = [0, 1, 2].filter((i) => moved[i] !== 0);
  if (changed.some((i) => !cells[i]))
    return { reason: `the position of ${name} is an expression; change it in the text` };
  const unit = cells.find((cell) => cell?.unit)?.unit ?? null;
  const next = old.map((cell, i) =>
    moved[i] === 0 ? cell : writeMeasure(cells[i].value + moved[i], cells[i].unit ?? unit, "length", 5),
  );
  if (!tree.bodies[k].position) return { edits: [{ path: [...path, "position"], action: "set", value: next }] };
  return { edits: changed.map((i) => ({ path: [...path, "position", i], action: "set", value: next[i] })) };
}

const normalizeTurn = (q) => {
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
};
