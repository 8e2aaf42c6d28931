// Markers of a walk in three dimensions with forces at their centres of pressure: points and arrows on a canvas, turned by
// dragging or by arrow keys.

import { digits, styleColour } from "./format.js";
import { loadColumn } from "./storage.js";

// Metres of an arrow per newton.
const ARROW = 0.001;

export class MarkerView {
  constructor(canvas) {
    this.canvas = canvas;
    this.trial = null;
    this.loads = [];
    this.up = 1;
    this.frame = 0;
    this.azimuth = 0.6;
    this.elevation = 0.25;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.held = [event.clientX, event.clientY];
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.held) return this.hover(event.offsetX, event.offsetY);
      this.turn(event.clientX - this.held[0], event.clientY - this.held[1]);
      this.held = [event.clientX, event.clientY];
      return null;
    });
    canvas.addEventListener("pointerup", () => (this.held = null));
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] }[event.key];
      if (!step) return;
      event.preventDefault();
      this.turn(...step);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
    // Light or dark.
    const watched = { attributes: true, attributeFilter: ["data-theme"] };
    new MutationObserver(() => this.draw()).observe(document.documentElement, watched);
  }

  turn(x, y) {
    this.azimuth -= 0.008 * x;
    this.elevation = Math.max(-1.5, Math.min(1.5, this.elevation + 0.008 * y));
    this.draw();
  }

  // `loads`: {storage, load, colour, name} each.
  show(trial, loads, up) {
    this.trial = trial;
    this.loads = loads;
    this.up = up;
    this.frame = Math.min(this.frame, trial.times.length - 1);
    const all = trial.markers.flatMap((marker) => marker.points.filter((_, k) => k % 10 === 0));
    const seen = all.filter((point) => point.every(Number.isFinite));
    const range = (i) => [Math.min(...seen.map((p) => p[i])), Math.max(...seen.map((p) => p[i]))];
    this.box =
      seen.length > 0
        ? [0, 1, 2].map(range)
        : [
            [-1, 1],
            [-1, 1],
            [-1, 1],
          ];
    this.draw();
  }

  // Where a point is on the canvas.
  place(point) {
    const [right, forward] = [(this.up + 1) % 3, (this.up + 2) % 3];
    const middle = this.box.map(([a, b]) => 0.5 * (a + b));
    const [x, y, z] = [
      point[right] - middle[right],
      point[forward] - middle[forward],
      point[this.up] - middle[this.up],
    ];
    const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [a, b] = [c * x + s * y, -s * x + c * y];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    return [0.5 * this.width + this.scale * a, 0.5 * this.height - this.scale * (ce * z + se * b)];
  }

  draw() {
    const { canvas } = this;
    [this.width, this.height] = [canvas.clientWidth, canvas.clientHeight];
    if (!this.trial || this.width < 20 || this.height < 20) return;
    const ratio = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [this.width * ratio, this.height * ratio];
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const size = Math.hypot(...this.box.map(([a, b]) => b - a));
    this.scale = (0.85 * Math.min(this.width, this.height)) / Math.max(size, 0.3);
    this.drawGround(pen);
    this.spots = this.trial.markers.map(({ name, points }) => ({ name, at: this.place(points[this.frame]) }));
    pen.fillStyle = styleColour("--ink");
    for (const { at } of this.spots) {
      if (!at.every(Number.isFinite)) continue;
      pen.beginPath();
      pen.arc(at[0], at[1], 3.5, 0, 7);
      pen.fill();
    }
    for (const load of this.loads) this.drawForce(pen, load);
    this.drawNames(pen);
    const time = this.trial.times[this.frame];
    canvas.setAttribute("aria-label", `${this.spots.length} markers at ${digits(time, 4)} s; arrow keys turn the view`);
  }

  drawGround(pen) {
    const [right, forward] = [(this.up + 1) % 3, (this.up + 2) % 3];
    pen.strokeStyle = styleColour("--line");
    pen.lineWidth = 1;
    const corner = (a, b) => {
      const point = [0, 0, 0];
      [point[right], point[forward]] = [a, b];
      return this.place(point);
    };
    const bounds = [this.box[right], this.box[forward]].map(([a, b]) => [Math.floor(2 * a) / 2, Math.ceil(2 * b) / 2]);
    const line = (a, b) => {
      pen.beginPath();
      pen.moveTo(...a);
      pen.lineTo(...b);
      pen.stroke();
    };
    const [[x0, x1], [y0, y1]] = bounds;
    for (let x = x0; x <= x1 + 1e-9 && x1 - x0 < 100; x += 0.5) line(corner(x, y0), corner(x, y1));
    for (let y = y0; y <= y1 + 1e-9 && y1 - y0 < 100; y += 0.5) line(corner(x0, y), corner(x1, y));
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = styleColour("--faint");
    pen.fillText("squares of 0.5 m; arrows 1 m per kN", 10, this.height - 10);
  }

  drawForce(pen, { storage, load, colour, dashed }) {
    const time = this.trial.times[this.frame];
    const row = storage.times.findIndex((own) => own >= time - 1e-9);
    const read = (kind) => ["x", "y", "z"].map((axis) => loadColumn(storage, load, `${kind}${axis}`)?.[row]);
    const [force, centre] = [read("v"), read("p")];
    if (row < 0 || ![...force, ...centre].every(Number.isFinite) || Math.hypot(...force) < 1) return;
    const [from, to] = [this.place(centre), this.place(centre.map((x, i) => x + ARROW * force[i]))];
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5;
    pen.setLineDash(dashed ? [6, 4] : []);
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(...to);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(to[0], to[1], 4, 0, 7);
    pen.fill();
  }

  hover(x, y) {
    const near = (this.spots ?? []).find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < 9);
    if (near?.name === this.named) return;
    this.named = near?.name;
    this.draw();
  }

  drawNames(pen) {
    const own = this.spots.find(({ name }) => name === this.named);
    if (!own) return;
    pen.fillStyle = styleColour("--ink");
    pen.font = "13px system-ui, sans-serif";
    pen.fillText(own.name, own.at[0] + 8, own.at[1] - 8);
  }
}
