// A figure beside the picture: any column over time or over any other column, with a cursor in step with the picture.

import { byId, clock, CURVE_COLOURS, digits, download, element, styleColour } from "./format.js";
import { roundLength } from "./algebra.js";

const MARGIN = { left: 62, right: 14, top: 12, bottom: 36 };
const POINTS = 2000;

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

export class Plot {
  // `player` has the time, `source` the curves; `label` says what a curve shows.
  constructor(source, player, label) {
    Object.assign(this, { source, player, label });
    this.curves = [];
    this.over = null;
    this.data = null;
    this.range = null;
    this.canvas = byId("plot");
    this.drawn = "";
    this.zoomStack = [];
    this.version = 0;
    this.listen();
  }

  async setCurves(curves, over = this.over) {
    this.curves = curves;
    this.over = over;
    this.zoomStack = [];
    this.range = null;
    await this.load();
  }

  // Reads the curves, of the part of time that is shown in as many points as there is room for.
  async load() {
    const turn = ++this.version;
    const { frames } = this.player.status;
    if (this.curves.length === 0) {
      this.data = null;
      this.drawn = "";
      return;
    }
    const isTime = this.over === null;
    const first = isTime && this.range ? Math.max(0, this.player.frameAt(this.range.x[0]) - 1) : 0;
    const last = isTime && this.range ? Math.min(frames - 1, this.player.frameAt(this.range.x[1]) + 1) : frames - 1;
    const stride = Math.max(1, Math.ceil((last - first + 1) / POINTS));
    const names = isTime ? this.curves : [this.over, ...this.curves];
    try {
      const { times, values } = await this.source.series(names, first, POINTS, stride);
      if (turn !== this.version) return;
      this.data = { times, x: isTime ? times : values[0], y: isTime ? values : values.slice(1), stride };
      this.failure = "";
    } catch (error) {
      if (turn !== this.version) return;
      this.data = null;
      this.failure = error.message;
    }
    this.drawn = "";
  }

  // What the axes show.
  limits() {
    if (this.range) return this.range;
    const ends = (arrays) => {
      let [low, high] = [Infinity, -Infinity];
      for (const array of arrays) {
        for (const v of array) {
          if (Number.isFinite(v)) {
            low = Math.min(low, v);
            high = Math.max(high, v);
          }
        }
      }
      if (low > high) return [0, 1];
      const pad = high > low ? 0 : Math.max(1e-12, 0.05 * Math.abs(low)) || 1;
      return [low - pad, high + pad];
    };
    const y = ends(this.data.y);
    const room = 0.05 * (y[1] - y[0]);
    const { begin, last } = this.player.status;
    return {
      x: this.over === null && last > begin ? [begin, last] : ends([this.data.x]),
      y: [y[0] - room, y[1] + room],
    };
  }

  get box() {
    return {
      left: MARGIN.left,
      top: MARGIN.top,
      width: Math.max(10, this.canvas.clientWidth - MARGIN.left - MARGIN.right),
      height: Math.max(10, this.canvas.clientHeight - MARGIN.top - MARGIN.bottom),
    };
  }

  toScreen(limits) {
    const { left, top, width, height } = this.box;
    return [
      (x) => left + ((x - limits.x[0]) / (limits.x[1] - limits.x[0])) * width,
      (y) => top + height - ((y - limits.y[0]) / (limits.y[1] - limits.y[0])) * height,
    ];
  }

  listen() {
    let start = null;
    const place = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      if (!this.data) return;
      this.canvas.setPointerCapture(event.pointerId);
      start = { at: place(event), zooming: event.shiftKey || event.button === 2 };
      if (!start.zooming) this.seekAt(start.at[0], start.at[1]);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!start) return;
      if (start.zooming) {
        this.band = [start.at, place(event)];
        this.drawn = "";
      } else this.seekAt(...place(event));
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (start?.zooming && this.band) this.zoomTo(start.at, place(event));
      start = null;
      this.band = null;
      this.drawn = "";
    });
    this.canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    this.canvas.addEventListener("dblclick", () => this.unzoom());
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.listenToPinches(place);
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        if (!this.data) return;
        event.preventDefault();
        this.zoomAbout(place(event)[0], Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.002))));
      },
      { passive: false },
    );
  }

  // Two fingers widen or narrow what is shown.
  listenToPinches(place) {
    const fingers = new Map();
    this.canvas.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, place(event)));
    for (const kind of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
    this.canvas.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId) || fingers.size !== 2 || !this.data) return;
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const before = Math.abs(fingers.get(event.pointerId)[0] - other[0]);
      const now = place(event);
      const after = Math.abs(now[0] - other[0]);
      if (before > 4 && after > 4) this.zoomAbout((now[0] + other[0]) / 2, before / after);
      fingers.set(event.pointerId, now);
    });
  }

  // Shows so many times as much along the axis, with what is at a place of the screen kept there.
  zoomAbout(px, factor) {
    const { left, width } = this.box;
    const share = Math.max(0, Math.min(1, (px - left) / width));
    const limits = this.limits();
    const x = limits.x[0] + share * (limits.x[1] - limits.x[0]);
    this.range = { x: limits.x.map((v) => x + (v - x) * factor), y: limits.y };
    clearTimeout(this.reading);
    this.reading = setTimeout(() => this.load(), 150);
    this.drawn = "";
  }

  key(event) {
    if (!this.data || event.ctrlKey || event.metaKey || event.altKey) return;
    const { left, width } = this.box;
    const middle = left + width / 2;
    const keys = {
      ArrowLeft: () => this.player.step(-1),
      ArrowRight: () => this.player.step(1),
      "+": () => this.zoomAbout(middle, 0.7),
      "=": () => this.zoomAbout(middle, 0.7),
      "-": () => this.zoomAbout(middle, 1 / 0.7),
      0: () => this.unzoom(),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  seekAt(px, py) {
    const limits = this.limits();
    const { left, width } = this.box;
    if (this.over === null) {
      this.player.seek(limits.x[0] + ((px - left) / width) * (limits.x[1] - limits.x[0]));
      return;
    }
    const [toX, toY] = this.toScreen(limits);
    let best = [Infinity, 0];
    this.data.y.forEach((values) =>
      values.forEach((v, k) => {
        const d = Math.hypot(toX(this.data.x[k]) - px, toY(v) - py);
        if (d < best[0]) best = [d, k];
      }),
    );
    if (best[0] < Infinity) this.player.seek(this.data.times[best[1]]);
  }

  zoomTo(a, b) {
    const limits = this.limits();
    const { left, top, width, height } = this.box;
    const x = [a[0], b[0]]
      .sort((p, q) => p - q)
      .map((v) => limits.x[0] + ((v - left) / width) * (limits.x[1] - limits.x[0]));
    const y = [a[1], b[1]]
      .sort((p, q) => q - p)
      .map((v) => limits.y[1] - ((v - top) / height) * (limits.y[1] - limits.y[0]));
    if (!(Math.abs(a[0] - b[0]) > 5 && Math.abs(a[1] - b[1]) > 5)) return;
    this.zoomStack.push(this.range);
    this.range = { x, y };
    this.load();
  }

  unzoom() {
    this.range = this.zoomStack.pop() ?? null;
    this.load();
  }

  draw() {
    const canvas = this.canvas;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || height === 0) return;
    const key = [
      this.player.time,
      this.player.status.last,
      width,
      height,
      ratio,
      document.documentElement.dataset.theme,
      this.version,
    ].join();
    if (this.drawn === key) return;
    this.drawn = key;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    this.paint(canvas.getContext("2d"), ratio);
  }

  paint(pen, ratio) {
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
    for (const v of ticks(...limits.y, Math.max(2, tall / 45))) {
      pen.beginPath();
      pen.moveTo(left, Math.round(toY(v)) + 0.5);
      pen.lineTo(left + wide, Math.round(toY(v)) + 0.5);
      pen.stroke();
      pen.fillText(digits(v, 4), left - 6, toY(v));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const v of ticks(...limits.x, Math.max(2, wide / 80))) {
      pen.beginPath();
      pen.moveTo(Math.round(toX(v)) + 0.5, top + tall);
      pen.lineTo(Math.round(toX(v)) + 0.5, top + tall + 4);
      pen.stroke();
      pen.fillText(digits(v, 5), toX(v), top + tall + 6);
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
    this.paintCursor(pen, limits, toX, toY);
    pen.restore();
    const told = this.readings().map(({ name, value }) => `${this.label(name)}: ${digits(value, 4)}`);
    const over = this.over
      ? this.label(this.over)
      : `time from ${digits(limits.x[0], 4)} to ${digits(limits.x[1], 4)} s`;
    this.canvas.setAttribute("aria-label", `Plot over ${over}. At ${digits(this.player.time, 5)} s ${told.join(", ")}`);
  }

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
  }

  // The sample that is shown.
  sampleAt(time) {
    const { times } = this.data;
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }

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
  }

  // The values at the cursor.
  readings() {
    if (!this.data) return [];
    const k = this.sampleAt(this.player.time);
    return this.curves.map((name, c) => ({
      name,
      colour: CURVE_COLOURS[c % CURVE_COLOURS.length],
      value: this.data.y[c]?.[k],
    }));
  }

  saveCsv() {
    if (!this.data) return;
    const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const head = ["time_s", ...(this.over ? [this.over] : []), ...this.curves].map(cell).join(",");
    const rows = Array.from(this.data.times, (time, k) =>
      [time, ...(this.over ? [this.data.x[k]] : []), ...this.data.y.map((values) => values[k])].join(","),
    );
    download("curves.csv", new Blob([[head, ...rows].join("\n"), "\n"], { type: "text/csv" }));
  }

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
  }
}
