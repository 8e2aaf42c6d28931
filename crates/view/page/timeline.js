// The line of time: how much is there, where the contacts begin, and where we are.

import { byId, clock, digits, element, styleColour } from "./format.js";

export class Timeline {
  constructor(player) {
    this.player = player;
    this.canvas = byId("timeline");
    this.events = [];
    this.drawn = "";
    const seek = (event) => {
      const box = this.canvas.getBoundingClientRect();
      player.seek(this.timeAt(event.clientX - box.left));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.canvas.focus();
      this.wasPlaying = player.playing;
      player.playing = false;
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) seek(event);
      else this.hover(event);
    });
    this.canvas.addEventListener("pointerup", () => {
      if (this.wasPlaying) player.toggle();
      this.wasPlaying = false;
    });
    this.canvas.addEventListener("keydown", (event) => {
      const keys = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
      if (event.key in keys) player.step(keys[event.key]);
      else if (event.key === "Home") player.seek(player.status.begin);
      else if (event.key === "End") player.seek(player.status.last);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  get ends() {
    const { begin, last, end, state } = this.player.status;
    return [begin, Math.max(state === "running" || state === "stopped" ? end : last, begin + 1e-12)];
  }

  timeAt(x) {
    const [begin, end] = this.ends;
    return begin + ((x - 8) / Math.max(1, this.canvas.clientWidth - 16)) * (end - begin);
  }

  // Where times are on the line. To ask the page for a width is slow: it is asked once for all of them.
  places(width = this.canvas.clientWidth) {
    const [begin, end] = this.ends;
    return (time) => 8 + ((time - begin) / (end - begin)) * (width - 16);
  }

  setEvents(events) {
    this.events = events;
    this.drawn = "";
  }

  // The next event after, or the last one before, what is shown.
  jump(sense) {
    const { time, status } = this.player;
    const margin = 0.5 * status.interval;
    const later = this.events.filter((event) => event.start > time + margin);
    const earlier = this.events.filter((event) => event.start < time - margin);
    const found = sense > 0 ? later[0] : earlier[earlier.length - 1];
    if (found) this.player.seek(found.start + status.interval);
    return found ?? null;
  }

  hover(event) {
    const x = event.offsetX;
    const placeOf = this.places();
    const near = this.events.reduce((best, own) => {
      const distance = Math.abs(placeOf(own.start) - x);
      return distance < (best ? best.distance : 5) ? { own, distance } : best;
    }, null);
    const told = near?.own;
    this.canvas.title = told
      ? `${told.a} – ${told.b}: ${clock(told.start, this.player.status.interval)} s, peak ${digits(told.force, 4)} N`
      : "";
  }

  draw() {
    const { status, time } = this.player;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (width === 0 || height === 0) return;
    // What changes with time is drawn over what does not.
    const { theme } = document.documentElement.dataset;
    const still = [status.last, status.end, width, height, ratio, this.events.length, theme].join();
    const key = `${still},${time}`;
    if (key === this.drawn) return;
    const isNew = this.drawn === "" || this.backdropKey !== still;
    this.drawn = key;
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1])
      [this.canvas.width, this.canvas.height] = size;
    this.pen ??= this.canvas.getContext("2d", { willReadFrequently: true });
    this.backdrop ??= element("canvas").getContext("2d", { willReadFrequently: true });
    if (isNew) {
      this.backdropKey = still;
      [this.backdrop.canvas.width, this.backdrop.canvas.height] = size;
      this.backdrop.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.paintBackdrop(this.backdrop, width, height);
    }
    const { pen } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, ...size);
    pen.drawImage(this.backdrop.canvas, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const middle = height - 10;
    const placeOf = this.places(width);
    pen.fillStyle = styleColour("--accent");
    pen.fillRect(8, middle - 2, Math.max(0, placeOf(time) - 8), 4);
    pen.beginPath();
    pen.arc(placeOf(time), middle, 6.5, 0, 2 * Math.PI);
    pen.fill();
    // Decimals: exponents are no numbers there.
    const ends = { min: status.begin, max: this.ends[1], now: time };
    for (const [name, value] of Object.entries(ends)) this.canvas.setAttribute(`aria-value${name}`, value.toFixed(12));
    this.canvas.setAttribute("aria-valuetext", `${clock(time, status.interval)} seconds`);
  }

  // How far the run is, and its events.
  paintBackdrop(pen, width, height) {
    const { status } = this.player;
    const middle = height - 10;
    const placeOf = this.places(width);
    pen.fillStyle = styleColour("--line");
    pen.fillRect(8, middle - 2, width - 16, 4);
    pen.fillStyle = styleColour("--accent-soft");
    pen.fillRect(8, middle - 2, placeOf(status.last) - 8, 4);
    const most = this.events.reduce((top, event) => Math.max(top, event.force ?? 0), 0);
    pen.fillStyle = styleColour("--event");
    for (const event of this.events) {
      const tall = 4 + (most > 0 ? 9 * Math.sqrt((event.force ?? 0) / most) : 0);
      pen.fillRect(placeOf(event.start) - 0.5, middle - 4 - tall, 1, tall);
    }
  }
}
