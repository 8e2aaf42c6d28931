// The page: a run, its picture, its panels.

import { byId, digits } from "./format.js";
import { EmbeddedSource, ServerSource } from "./source.js";
import { FrameStore } from "./frame_store.js";
import { Renderer } from "./renderer.js";
import { Pace } from "./pace.js";
import { painting } from "./painting.js";
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
// Bodies up to which contacts are marked unless they are switched off.
const CROWD = 300;

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
    // Thousands of arrows would hide what they act on.
    this.show.forces = this.show.points = this.about.bodies.length <= CROWD;
    this.store = new FrameStore(this.source, this.about.bodies.length);
    this.player = new Player(() => this.changed());
    this.player.status = this.about.status;
    this.player.time = this.about.status.begin;
    this.player.chooseSpeed();
    this.renderer = new Renderer(byId("canvas"));
    const geometry = await this.source.geometry();
    this.renderer.setGeometry(geometry);
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
    this.showAside();
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

Object.assign(App.prototype, painting, choosing, curveMethods);

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
