// A plot on its canvas: axes, curves, the cursor; saved as numbers and as a picture; methods of Plot.

import { clock, CURVE_COLOURS, digits, download, element, fitted, styleColour, tickTexts } from "./format.js";
import { roundLength } from "./algebra.js";

// Round steps on an axis.
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const step = roundLength((1.4 * span) / count);
  const first = Math.ceil(low / step - 1e-9);
  const all = [];
  for (let k = first; k * step <= high + 1e-9 * span; k++) all.push(k * step);
  return all;
}

export const plotPainting = {
  draw() {
    const canvas = this.canvas;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || height === 0) return;
    // What changes with time is drawn over what does not.
    const { theme } = document.documentElement.dataset;
    const still = [this.player.status.last, width, height, ratio, theme, this.version].join();
    const key = `${still},${this.player.time}`;
    if (this.drawn === key) return;
    const isNew = this.drawn === "" || this.backdropKey !== still;
    this.drawn = key;
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    // Drawn by the processor: a few strokes are not worth a card's time, nor that of a processor that plays one.
    this.pen ??= canvas.getContext("2d", { willReadFrequently: true });
    this.backdrop ??= element("canvas").getContext("2d", { willReadFrequently: true });
    if (isNew) {
      this.backdropKey = still;
      [this.backdrop.canvas.width, this.backdrop.canvas.height] = size;
      this.paintBackdrop(this.backdrop, ratio);
    }
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    this.pen.clearRect(0, 0, ...size);
    this.pen.drawImage(this.backdrop.canvas, 0, 0);
    this.paintTime(this.pen, ratio);
  },

  // All of it, on one canvas.
  paint(pen, ratio) {
    this.paintBackdrop(pen, ratio);
    this.paintTime(pen, ratio);
  },

  // Axes and curves.
  paintBackdrop(pen, ratio) {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "11px system-ui, sans-serif";
    const ink = styleColour("--faint");
    if (!this.data) {
      pen.fillStyle = ink;
      pen.textAlign = "center";
      pen.fillText(this.failure || "Choose a curve to see it over time.", width / 2, height / 2);
      this.canvas.setAttribute("aria-label", "Plot: no curves chosen");
      return;
    }
    const limits = this.limits();
    const [toX, toY] = this.toScreen(limits);
    const { left, top, width: wide, height: tall } = this.box;
    pen.lineWidth = 1;
    pen.strokeStyle = styleColour("--line");
    pen.fillStyle = ink;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const levels = ticks(...limits.y, Math.max(2, tall / 45));
    const { texts, base } = tickTexts(levels, 4);
    for (const [k, v] of levels.entries()) {
      pen.beginPath();
      pen.moveTo(left, Math.round(toY(v)) + 0.5);
      pen.lineTo(left + wide, Math.round(toY(v)) + 0.5);
      pen.stroke();
      pen.fillText(texts[k], left - 6, toY(v));
    }
    if (base !== null) {
      pen.textAlign = "left";
      pen.fillText(`${base} +`, 4, 6);
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const places = ticks(...limits.x, Math.max(2, wide / 80));
    const placeTexts = tickTexts(places, 5, 9).texts;
    for (const [k, v] of places.entries()) {
      pen.beginPath();
      pen.moveTo(Math.round(toX(v)) + 0.5, top + tall);
      pen.lineTo(Math.round(toX(v)) + 0.5, top + tall + 4);
      pen.stroke();
      const text = placeTexts[k];
      pen.fillText(text, fitted(toX(v), pen.measureText(text).width, width), top + tall + 6);
    }
    pen.fillText(this.over === null ? "time / s" : this.label(this.over), left + wide / 2, top + tall + 21);
    pen.save();
    pen.beginPath();
    pen.rect(left, top, wide, tall);
    pen.clip();
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    this.data.y.forEach((values, c) =>
      this.strokeCurve(pen, values, CURVE_COLOURS[c % CURVE_COLOURS.length], toX, toY),
    );
    pen.restore();
  },

  // The time that is shown.
  paintTime(pen, ratio) {
    if (!this.data) return;
    const limits = this.limits();
    const { left, top, width: wide, height: tall } = this.box;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.save();
    pen.beginPath();
    pen.rect(left, top, wide, tall);
    pen.clip();
    this.paintCursor(pen, limits, ...this.toScreen(limits));
    pen.restore();
    const told = this.readings().map(({ name, value }) => `${this.label(name)}: ${digits(value, 4)}`);
    const over = this.over
      ? this.label(this.over)
      : `time from ${digits(limits.x[0], 4)} to ${digits(limits.x[1], 4)} s`;
    this.canvas.setAttribute("aria-label", `Plot over ${over}. At ${digits(this.player.time, 5)} s ${told.join(", ")}`);
  },

  strokeCurve(pen, values, colour, toX, toY) {
    pen.strokeStyle = colour;
    pen.beginPath();
    let down = false;
    for (let k = 0; k < values.length; k++) {
      const [x, y] = [this.data.x[k], values[k]];
      if (!Number.isFinite(x) || !Number.isFinite(y)) {
        down = false;
        continue;
      }
      if (down) pen.lineTo(toX(x), toY(y));
      else {
        pen.moveTo(toX(x), toY(y));
        // A point alone is seen too.
        pen.lineTo(toX(x) + 0.01, toY(y));
      }
      down = true;
    }
    pen.stroke();
  },

  paintCursor(pen, limits, toX, toY) {
    const { top, height: tall } = this.box;
    const k = this.sampleAt(this.player.time);
    if (this.over === null) {
      pen.strokeStyle = styleColour("--accent");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(toX(this.player.time), top);
      pen.lineTo(toX(this.player.time), top + tall);
      pen.stroke();
    }
    this.data.y.forEach((values, c) => {
      if (!Number.isFinite(values[k])) return;
      pen.fillStyle = CURVE_COLOURS[c % CURVE_COLOURS.length];
      pen.beginPath();
      pen.arc(toX(this.data.x[k]), toY(values[k]), 3.5, 0, 2 * Math.PI);
      pen.fill();
    });
    if (this.band) {
      const [a, b] = this.band;
      pen.strokeStyle = styleColour("--accent");
      pen.strokeRect(a[0], a[1], b[0] - a[0], b[1] - a[1]);
    }
  },

  saveCsv() {
    if (!this.data) return;
    const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const head = ["time_s", ...(this.over ? [this.over] : []), ...this.curves].map(cell).join(",");
    const rows = Array.from(this.data.times, (time, k) =>
      [time, ...(this.over ? [this.data.x[k]] : []), ...this.data.y.map((values) => values[k])].join(","),
    );
    download("curves.csv", new Blob([[head, ...rows].join("\n"), "\n"], { type: "text/csv" }));
  },

  savePng() {
    const large = element("canvas");
    [large.width, large.height] = [this.canvas.clientWidth * 3, this.canvas.clientHeight * 3];
    const pen = large.getContext("2d");
    this.paint(pen, 3);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.globalCompositeOperation = "destination-over";
    pen.fillStyle = styleColour("--paper");
    pen.fillRect(0, 0, large.width, large.height);
    large.toBlob((blob) => download(`plot-${clock(this.player.time, this.player.status.interval)}s.png`, blob));
  },
};
