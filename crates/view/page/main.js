// The page: a run, its picture, its panels.

import { add, dot, rotate, scale } from "./algebra.js";
import { byId, clock, digits } from "./format.js";
import { contactCount, EmbeddedSource, ServerSource } from "./source.js";
import { FrameStore } from "./frame_store.js";
import { Renderer } from "./renderer.js";
import { markAxes, markContacts, markContours, markJoints, markPath, noteTops } from "./marks.js";
import { Pace } from "./pace.js";
import { showLegend } from "./legend.js";
import { OrbitCamera } from "./camera.js";
import { Player } from "./player.js";
import { Timeline } from "./timeline.js";
import { Plot } from "./plot.js";
import { Panels } from "./panels.js";
import { choosing } from "./choosing.js";
import { curveMethods } from "./curves.js";
import { wireControls } from "./controls.js";

// Between two looks at a run that goes on, in ms.
const STATUS_PAUSE = 500;
const SKY = { light: [0.914, 0.933, 0.957], dark: [0.125, 0.145, 0.169] };

export class App {
  constructor(source) {
    this.source = source;
    this.show = {
      points: true,
      forces: true,
      friction: false,
      normals: false,
      frames: false,
      slip: false,
      ellipses: true,
      contours: false,
      joints: false,
      curvature: false,
      charts: false,
      shadows: true,
      grid: true,
      axes: true,
      ghosts: 0,
      ghostStep: 5,
      cut: "",
      cutPlace: 0,
      cutFlip: false,
      flat: false,
    };
    this.paths = new Map();
    this.choice = null;
    this.follow = null;
    this.frame = null;
    this.events = [];
    this.dirty = true;
    this.frameTimes = [];
    this.tops = { force: 0, slip: 0, long: 0, pressure: 0 };
    this.contours = { number: -1, lines: [], isAsked: false };
    this.hasCharts = false;
    // Whether somebody has chosen curves by hand.
    this.keepsCurves = false;
    this.setTheme(localStorageTheme() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  }

  async start() {
    const begun = performance.now();
    document.body.classList.toggle("embedded", window.parent !== window);
    this.about = await this.source.about();
    document.title = `${this.about.title} – Rattleback`;
    byId("title").textContent = this.about.title;
    byId("title").title = this.about.folder ?? "";
    this.looks = this.about.bodies.map((body) => ({ hidden: body.hidden, opacity: 1, free: body.free, colour: null }));
    this.store = new FrameStore(this.source, this.about.bodies.length);
    this.player = new Player(() => this.changed());
    this.player.status = this.about.status;
    this.player.time = this.about.status.begin;
    this.player.chooseSpeed();
    this.renderer = new Renderer(byId("canvas"));
    this.renderer.setGeometry(await this.source.geometry());
    this.pace = new Pace(this.renderer);
    this.camera = new OrbitCamera(byId("canvas"), () => {
      this.pace.stir();
      this.changed();
    });
    this.camera.set(this.about.camera, this.about.up);
    this.camera.onPick = (x, y) => this.pick(x, y);
    this.frame = await this.store.want(0);
    if (!this.frame) throw this.store.failure ?? new Error("there is no frame to show");
    this.timeline = new Timeline(this.player);
    this.plot = new Plot(this.source, this.player, (name) => this.label(name));
    this.panels = new Panels(this);
    wireControls(this);
    this.paint();
    this.firstPicture = performance.now() - begun;
    document.documentElement.dataset.ready = "true";
    await this.loadEvents();
    const isRun = this.player.status.frames > 1;
    const wanted = isRun ? (this.about.plots[0]?.curves ?? this.usualCurves()) : [];
    await this.setCurves(wanted.filter((name) => this.source.has(name)));
    this.loop();
    if (this.source.isLive) this.watch();
  }

  // Shows what is there now in place of what was: a scene that has been changed. The camera stays.
  async reload() {
    const { bodies } = this.about;
    const about = await this.source.about();
    const geometry = await this.source.geometry();
    const store = new FrameStore(this.source, about.bodies.length);
    const frame = await store.want(0);
    if (!frame) return;
    const names = (list) => list.map((body) => body.name).join("\n");
    if (names(about.bodies) !== names(bodies)) {
      this.looks = about.bodies.map((body) => ({ hidden: body.hidden, opacity: 1, free: body.free, colour: null }));
      this.choice = null;
      this.follow = null;
      this.paths.clear();
      this.camera.set(about.camera, about.up);
    }
    this.about = about;
    this.store = store;
    this.frame = frame;
    this.camera.home = about.camera;
    this.renderer.setGeometry(geometry);
    this.hasCharts = false;
    this.player.update(about.status);
    byId("title").textContent = about.title;
    this.panels.build();
    this.showState();
    this.changed();
  }

  changed() {
    this.dirty = true;
    this.pace?.unsettle();
  }

  async loadEvents() {
    const told = await this.source.events();
    this.events = told.events;
    this.timeline.setEvents(this.events);
    this.panels.refresh();
  }

  // Looks how far the run is, again and again while it goes on.
  async watch() {
    let failures = 0;
    for (;;) {
      const { state } = this.player.status;
      await new Promise((resolve) =>
        setTimeout(resolve, state === "running" || failures > 0 ? STATUS_PAUSE : 4 * STATUS_PAUSE),
      );
      try {
        await this.look();
        failures = 0;
      } catch {
        failures += 1;
        if (failures === 3) this.say("The server does not answer any more: what is here can still be looked at.");
        if (failures > 20) return;
      }
      this.showState();
    }
  }

  // Looks once how far the run is, and takes what is new.
  async look() {
    const status = await this.source.status();
    const old = this.player.status;
    if (status.frames !== old.frames || status.state !== old.state || status.last !== old.last) {
      this.store.refresh();
      this.contours.number = -1;
      const speed = this.player.speed;
      this.player.update(status);
      this.player.speed = speed;
      await this.loadEvents();
      for (const body of this.paths.keys()) this.paths.set(body, await this.readPath(body));
      if (this.plot.curves.length > 0) await this.plot.load();
      else if (old.frames < 2 && status.frames > 1) await this.setCurves(this.usualCurves());
    } else this.player.status = status;
  }

  say(text) {
    byId("message").textContent = text;
    byId("message").hidden = !text;
    if (text) setTimeout(() => (byId("message").hidden = true), 6000);
  }

  showState() {
    const { status } = this.player;
    const texts = {
      running: `running, ${digits(status.last, 4)} of ${digits(status.end, 4)} s`,
      finished: "",
      broken: "broken",
      stopped: "stopped",
      failed: "failed",
      scene: "not run yet",
    };
    const remark = this.about.every > 1 ? `every ${this.about.every}th record` : "";
    byId("state").textContent = [texts[status.state], remark].filter(Boolean).join("; ");
    byId("state").className = status.state === "broken" || status.state === "failed" ? "bad" : "";
    byId("live").hidden = status.state !== "running";
  }

  // The stride at which frames are played, and the frame that is to be seen.
  wanted() {
    const stride = this.player.playing ? this.store.strideFor(this.player.rate) : 1;
    const number = this.player.frame;
    return { number: number - (number % stride), stride };
  }

  loop() {
    const step = (now) => {
      this.player.tick(now);
      if (this.pace.step(now, this.player.playing)) this.dirty = true;
      this.load();
      if (this.dirty) {
        this.dirty = false;
        const begun = performance.now();
        this.paint();
        this.frameTimes.push(performance.now() - begun);
        if (this.frameTimes.length > 240) this.frameTimes.shift();
        this.painted = (this.painted ?? 0) + 1;
      }
      if (this.pace.isDue(now, this.player.playing)) {
        this.timeline.draw();
        this.plot.draw();
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // Sees to it that the frame to be shown, and those after it, are here.
  load() {
    const { number, stride } = this.wanted();
    const here = this.store.have(number, stride);
    if (here) {
      if (here !== this.frame) {
        this.frame = here;
        this.changed();
      }
    } else this.fetchFrame(number, stride);
    if (this.player.playing) {
      const next = number + stride * this.store.length;
      if (next < this.player.status.frames && !this.store.have(next, stride)) this.fetchFrame(next, stride);
    }
  }

  async fetchFrame(number, stride) {
    const name = this.store.key(number, stride).name;
    if (this.store.pending.has(name) || this.failedChunk === name) return;
    await this.store.want(number, stride);
    if (this.store.failure) {
      this.failedChunk = name;
      setTimeout(() => (this.failedChunk = null), 1000);
      this.say(this.store.failure.message);
    }
    this.dirty = true;
  }

  ghosts() {
    const list = [];
    for (let k = 1; k <= this.show.ghosts; k++) {
      const number = this.frame.number - k * this.show.ghostStep;
      if (number < 0) break;
      const frame = this.store.have(number);
      if (frame) list.push({ frame, opacity: 0.34 - (0.26 * k) / (this.show.ghosts + 1) });
      else this.fetchFrame(number, 1);
    }
    return list;
  }

  cutPlane(view) {
    const { cut, cutPlace, cutFlip } = this.show;
    if (!cut) return null;
    const axis = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], view: view.back }[cut];
    const sign = cutFlip ? -1 : 1;
    const normal = scale(axis, sign);
    const at = add(this.about.camera.target, scale(axis, cutPlace * view.reach));
    return [...normal, dot(normal, at)];
  }

  // Cuts across an axis, so that the half before the eye is away.
  setCut(cut) {
    this.show.cut = cut;
    const { back } = this.camera;
    this.show.cutFlip = { x: back[0], y: back[1], z: back[2] }[cut] < 0;
    this.changed();
  }

  options(view) {
    const dark = document.documentElement.dataset.theme === "dark";
    return {
      up: this.about.up,
      shadows: this.show.shadows && this.renderer.coarse < 3,
      grid: this.show.grid,
      dark,
      clip: this.cutPlane(view),
      flat: this.show.flat,
      outlines: this.show.charts && !this.show.flat,
      curvature: this.show.curvature ? this.renderer.parts.curvatureRange(this.looks) : null,
      background: this.show.flat ? [1, 1, 1] : SKY[dark ? "dark" : "light"],
      line: dark ? [0.6, 0.65, 0.7] : [0.35, 0.4, 0.45],
    };
  }

  paint() {
    const { renderer, frame, camera } = this;
    if (!frame) return;
    if (this.follow !== null) {
      const p = frame.poses.subarray(7 * this.follow, 7 * this.follow + 3);
      camera.target = [p[0], p[1], p[2]];
    }
    renderer.resize();
    const view = camera.view(renderer.canvas.width / renderer.canvas.height);
    this.view = view;
    const chosen = this.show.flat ? {} : (this.choice ?? {});
    renderer.place(frame, this.looks, chosen.body, this.ghosts(), view, chosen.line);
    renderer.clearMarks();
    const options = this.options(view);
    const scales = this.show.flat ? {} : this.mark(view, options.dark, chosen);
    renderer.draw(view, options);
    showLegend(renderer, options, scales);
    const told = `${clock(frame.time, this.player.status.interval)} s`;
    if (byId("time").textContent !== told) byId("time").textContent = told;
    byId("play").textContent = this.player.playing ? "❚❚" : "▶";
    byId("play").setAttribute("aria-label", this.player.playing ? "Pause" : "Play");
    byId("live").setAttribute("aria-pressed", String(this.player.following));
    byId("canvas").setAttribute(
      "aria-label",
      `The bodies at ${told}, ${contactCount(frame)} contacts; drag or press arrow keys to turn, + and − to zoom`,
    );
    this.refreshPanels();
  }

  // Adds what is shown over the bodies; returns the scales of it.
  mark(view, dark, chosen) {
    const { renderer, frame, show, about } = this;
    noteTops(this.tops, frame);
    const contact = chosen.contact ? this.contactIndex(chosen.contact) : null;
    const scales = markContacts(renderer, frame, about.bodies, show, view, dark, contact, this.tops);
    if (show.joints || chosen.joint !== undefined)
      markJoints(renderer, about.jointPlaces, this.looks, frame.poses, rotate, view, chosen.joint);
    if (show.axes && chosen.body !== undefined)
      markAxes(renderer, frame, chosen.body, rotate, 0.12 * view.distance, 0.0018 * view.distance);
    for (const [body, path] of this.paths)
      markPath(renderer, path, frame.time, about.bodies[body].colour ?? [120, 120, 120]);
    if (show.contours) {
      this.askContours(frame.number);
      if (this.contours.number === frame.number) markContours(renderer, this.contours.lines, view);
    }
    if (show.charts && !this.hasCharts) this.askCharts();
    return scales;
  }

  // Fetches the contours of a frame, one frame after the other.
  async askContours(number) {
    if (this.contours.isAsked || this.contours.number === number) return;
    this.contours.isAsked = true;
    try {
      this.contours = { number, lines: await this.source.contours(number), isAsked: false };
    } catch (error) {
      this.contours = { number, lines: [], isAsked: false };
      this.say(error.message);
    }
    this.changed();
  }

  async askCharts() {
    this.hasCharts = true;
    try {
      this.renderer.setOutlines(await this.source.charts());
    } catch (error) {
      this.say(error.message);
    }
    this.changed();
  }

  // Numbers beside the picture need not change sixty times a second.
  refreshPanels() {
    const now = performance.now();
    if (now - (this.refreshed ?? 0) < 120) {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.refreshPanels(), 130);
      return;
    }
    this.refreshed = now;
    this.panels?.refresh();
    this.plot?.readings().forEach(({ value }, k) => {
      const cell = byId("curves").children[k]?.querySelector(".value");
      if (cell) cell.textContent = digits(value, 5);
    });
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // A page from disk may have no memory.
    }
    if (this.plot) this.plot.drawn = "";
    this.changed();
  }

  toggleTheme() {
    this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  }

  setParallel(on) {
    this.camera.parallel = on;
    byId("view-parallel").setAttribute("aria-pressed", String(on));
    this.changed();
  }

  home() {
    this.follow = null;
    this.camera.reset();
  }

  toggleLoop() {
    this.player.loops = !this.player.loops;
    byId("loop").setAttribute("aria-pressed", String(this.player.loops));
  }
}

Object.assign(App.prototype, choosing, curveMethods);

function localStorageTheme() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

const app = new App(byId("data-about") ? new EmbeddedSource() : new ServerSource());
// A handle for the browser's console.
globalThis.rattleback = app;
app.start().catch((error) => {
  console.error(error);
  byId("message").textContent = error.message;
  byId("message").hidden = false;
});
