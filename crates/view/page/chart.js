// Curves over one axis, drawn on a canvas: for the panels, where the plot of the viewer is not at hand.

import { digits, fitted, styleColour, tickTexts } from "./format.js";

const MARGIN = { left: 58, right: 10, top: 10, bottom: 34 };

// Round steps between the marks of an axis: 1, 2 or 5 times a power of ten.
function roundStep(span, most) {
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((k) => k * power >= rough) ?? 10);
}

export class LineChart {
  // `labels` are the words at the axes.
  constructor(canvas, labels) {
    this.canvas = canvas;
    this.labels = labels;
    this.curves = [];
    this.at = null;
    // Where a line is drawn across, in the units of the axis.
    this.cursor = null;
    canvas.addEventListener("pointermove", (event) => this.point(event.offsetX));
    canvas.addEventListener("pointerleave", () => this.point(null));
    new ResizeObserver(() => this.draw()).observe(canvas);
    // Light or dark.
    const watched = { attributes: true, attributeFilter: ["data-theme"] };
    new MutationObserver(() => this.draw()).observe(document.documentElement, watched);
  }

  // Curves: {name, colour, dashed, band, times, values}.
  show(curves, labels = this.labels) {
    this.labels = labels;
    this.curves = curves;
    const told = curves.map((curve) => `${curve.name}: ${this.range(curve)}`);
    this.canvas.setAttribute("aria-label", `${labels.y} over ${labels.x}. ${told.join("; ")}`);
    this.draw();
  }

  range({ values }) {
    let [least, most] = [Infinity, -Infinity];
    for (const value of values) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
    return least > most ? "no values" : `from ${digits(least, 4)} to ${digits(most, 4)}`;
  }

  point(x) {
    this.at = x;
    this.draw();
  }

  limits() {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { times, values, band } of this.curves) {
      times.forEach((time, k) => {
        if (!Number.isFinite(values[k])) return;
        const half = Number.isFinite(band?.[k]) ? band[k] : 0;
        x0 = Math.min(x0, time);
        x1 = Math.max(x1, time);
        y0 = Math.min(y0, values[k] - half);
        y1 = Math.max(y1, values[k] + half);
      });
    }
    if (x0 > x1) return null;
    if (x0 === x1) x1 = x0 + 1;
    const room = y1 > y0 ? 0.06 * (y1 - y0) : Math.max(1e-9, 0.1 * Math.abs(y0)) || 1;
    return { x0, x1, y0: y0 - room, y1: y1 + room };
  }

  draw() {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width < 20 || height < 20) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    const limits = this.limits();
    if (!limits) {
      pen.fillStyle = styleColour("--faint");
      pen.fillText("nothing to show yet", MARGIN.left, height / 2);
      return;
    }
    const place = {
      x: (x) => MARGIN.left + ((x - limits.x0) / (limits.x1 - limits.x0)) * (width - MARGIN.left - MARGIN.right),
      y: (y) =>
        height - MARGIN.bottom - ((y - limits.y0) / (limits.y1 - limits.y0)) * (height - MARGIN.top - MARGIN.bottom),
    };
    this.drawAxes(pen, limits, place, width, height);
    for (const curve of this.curves) this.drawCurve(pen, curve, place);
    this.drawCursor(pen, limits, place, height);
    this.drawReading(pen, limits, place, width, height);
  }

  drawCursor(pen, limits, place, height) {
    if (this.cursor === null || this.cursor < limits.x0 || this.cursor > limits.x1) return;
    pen.strokeStyle = styleColour("--event");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(place.x(this.cursor), MARGIN.top);
    pen.lineTo(place.x(this.cursor), height - MARGIN.bottom);
    pen.stroke();
  }

  drawAxes(pen, limits, place, width, height) {
    const [ink, line] = [styleColour("--faint"), styleColour("--line")];
    const marks = (from, to, step) => {
      const list = [];
      for (let k = Math.ceil(from / step); k * step <= to && list.length < 50; k++) list.push(k * step);
      return list;
    };
    pen.lineWidth = 1;
    pen.fillStyle = ink;
    pen.strokeStyle = line;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const levels = [...marks(limits.y0, limits.y1, roundStep(limits.y1 - limits.y0, height / 44))];
    const { texts, base } = tickTexts(levels, 3);
    for (const [k, y] of levels.entries()) {
      pen.beginPath();
      pen.moveTo(MARGIN.left, place.y(y));
      pen.lineTo(width - MARGIN.right, place.y(y));
      pen.stroke();
      pen.fillText(texts[k], MARGIN.left - 6, place.y(y));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const places = [...marks(limits.x0, limits.x1, roundStep(limits.x1 - limits.x0, width / 90))];
    const placeTexts = tickTexts(places, 3, 9).texts;
    if (base !== null) {
      pen.textAlign = "left";
      pen.fillText(`${base} +`, 4, 6);
      pen.textAlign = "center";
    }
    for (const [k, x] of places.entries()) {
      const text = placeTexts[k];
      pen.fillText(text, fitted(place.x(x), pen.measureText(text).width, width), height - MARGIN.bottom + 4);
    }
    pen.fillText(this.labels.x, (MARGIN.left + width - MARGIN.right) / 2, height - 15);
    pen.save();
    pen.translate(3, (MARGIN.top + height - MARGIN.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(this.labels.y, 0, 0);
    pen.restore();
  }

  // A band of ± its half width, where a curve has one.
  drawBand(pen, { times, values, colour, band }, place) {
    pen.fillStyle = colour;
    pen.globalAlpha = 0.15;
    pen.beginPath();
    for (let k = 0; k < times.length; k++) pen.lineTo(place.x(times[k]), place.y(values[k] + band[k]));
    for (let k = times.length - 1; k >= 0; k--) pen.lineTo(place.x(times[k]), place.y(values[k] - band[k]));
    pen.fill();
    pen.globalAlpha = 1;
  }

  drawCurve(pen, curve, place) {
    const { times, values, colour, dashed } = curve;
    if (curve.band) this.drawBand(pen, curve, place);
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.setLineDash(dashed ? [5, 4] : []);
    pen.beginPath();
    let down = false;
    times.forEach((time, k) => {
      if (!Number.isFinite(values[k])) {
        down = false;
        return;
      }
      if (down) pen.lineTo(place.x(time), place.y(values[k]));
      else pen.moveTo(place.x(time), place.y(values[k]));
      down = true;
    });
    pen.stroke();
    pen.setLineDash([]);
  }

  // The values of all curves where the pointer is.
  drawReading(pen, limits, place, width, height) {
    if (this.at === null || this.at < MARGIN.left || this.at > width - MARGIN.right) return;
    const time = limits.x0 + ((this.at - MARGIN.left) / (width - MARGIN.left - MARGIN.right)) * (limits.x1 - limits.x0);
    pen.strokeStyle = styleColour("--faint");
    pen.beginPath();
    pen.moveTo(this.at, MARGIN.top);
    pen.lineTo(this.at, height - MARGIN.bottom);
    pen.stroke();
    const lines = [{ text: `${this.labels.x}: ${digits(time, 4)}`, colour: styleColour("--ink") }];
    for (const { name, times, values, colour } of this.curves) {
      const k = nearest(times, time);
      if (k >= 0 && Number.isFinite(values[k])) lines.push({ text: `${name}: ${digits(values[k], 4)}`, colour });
    }
    pen.textBaseline = "top";
    const x = this.at + (this.at > width / 2 ? -8 : 8);
    const wide = Math.max(...lines.map(({ text }) => pen.measureText(text).width)) + 16;
    const left = this.at > width / 2 ? x - wide : x - 4;
    pen.globalAlpha = 0.85;
    pen.fillStyle = styleColour("--panel");
    pen.fillRect(left, MARGIN.top, wide + 4, 15 * lines.length + 4);
    pen.globalAlpha = 1;
    pen.textAlign = "left";
    lines.forEach(({ text, colour }, k) => {
      const top = MARGIN.top + 2 + 15 * k;
      pen.fillStyle = colour;
      if (k > 0) pen.fillRect(left + 4, top + 3, 8, 8);
      pen.fillStyle = styleColour("--ink");
      pen.fillText(text, left + 16, top);
    });
  }
}

// The place of the number nearest to another one in a list that grows; −1 in an empty one.
export function nearest(list, wanted) {
  let [low, high] = [0, list.length - 1];
  if (high < 0) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] < wanted) low = middle;
    else high = middle;
  }
  return wanted - list[low] < list[high] - wanted ? low : high;
}
