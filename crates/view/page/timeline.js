// The line of time: how much is there, where the contacts begin, and where we are.

import { byId, clock, digits, styleColour } from "./format.js";

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

  placeOf(time) {
    const [begin, end] = this.ends;
    return 8 + ((time - begin) / (end - begin)) * (this.canvas.clientWidth - 16);
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
    const near = this.events.reduce((best, own) => {
      const distance = Math.abs(this.placeOf(own.start) - x);
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
    const key = [
      time,
      status.last,
      status.end,
      width,
      height,
      ratio,
      this.events.length,
      document.documentElement.dataset.theme,
    ].join();
    if (key === this.drawn) return;
    this.drawn = key;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const middle = height - 10;
    pen.fillStyle = styleColour("--line");
    pen.fillRect(8, middle - 2, width - 16, 4);
    pen.fillStyle = styleColour("--accent-soft");
    pen.fillRect(8, middle - 2, this.placeOf(status.last) - 8, 4);
    const most = this.events.reduce((top, event) => Math.max(top, event.force ?? 0), 0);
    pen.fillStyle = styleColour("--event");
    for (const event of this.events) {
      const tall = 4 + (most > 0 ? 9 * Math.sqrt((event.force ?? 0) / most) : 0);
      pen.fillRect(this.placeOf(event.start) - 0.5, middle - 4 - tall, 1, tall);
    }
    pen.fillStyle = styleColour("--accent");
    pen.fillRect(8, middle - 2, Math.max(0, this.placeOf(time) - 8), 4);
    pen.beginPath();
    pen.arc(this.placeOf(time), middle, 6.5, 0, 2 * Math.PI);
    pen.fill();
    this.canvas.setAttribute("aria-valuemin", status.begin);
    this.canvas.setAttribute("aria-valuemax", this.ends[1]);
    this.canvas.setAttribute("aria-valuenow", time);
    this.canvas.setAttribute("aria-valuetext", `${clock(time, status.interval)} seconds`);
  }
}
