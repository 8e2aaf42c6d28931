// A figure beside the picture: any column over time or over any other column, with a cursor in step with the picture.

import { byId, CURVE_COLOURS } from "./format.js";
import { plotInput } from "./plot_input.js";
import { plotPainting } from "./plot_painting.js";

const MARGIN = { left: 62, right: 14, top: 12, bottom: 36 };
const POINTS = 2000;

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
}

Object.assign(Plot.prototype, plotInput, plotPainting);
