// How the page draws: frames as they are wanted, what is laid over them, what is beside them; methods of the page's App.

import { add, dot, norm, rotate, scale, subtract } from "./algebra.js";
import { byId, clock, digits } from "./format.js";
import { contactCount } from "./source.js";
import { markAxes, markContacts, markContours, markJoints, markPath, noteTops } from "./marks.js";
import { showLegend } from "./legend.js";

const SKY = { light: [0.914, 0.933, 0.957], dark: [0.125, 0.145, 0.169] };

export const painting = {
  // The stride at which frames are played, and the frame that is to be seen.
  wanted() {
    const stride = this.player.playing ? this.store.strideFor(this.player.rate) : 1;
    const number = this.player.frame;
    return { number: number - (number % stride), stride };
  },

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
      if (this.pace.isDue(now, this.player.playing)) this.showAside();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  },

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
  },

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
  },

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
  },

  cutPlane(view) {
    const { cut, cutPlace, cutFlip } = this.show;
    if (!cut) return null;
    const axis = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], view: view.back }[cut];
    const sign = cutFlip ? -1 : 1;
    const normal = scale(axis, sign);
    const at = add(this.about.camera.target, scale(axis, cutPlace * this.cutReach()));
    return [...normal, dot(normal, at)];
  },

  // How far a cut goes to either side of what the camera looked at first: as far as was seen then.
  cutReach() {
    const { eye, target, fov } = this.about.camera;
    return norm(subtract(eye, target)) * Math.tan(0.5 * fov);
  },

  // Where the cut is, along its axis or from the middle.
  cutText(place) {
    const { camera, origin } = this.about;
    const axis = ["x", "y", "z"].indexOf(this.show.cut);
    const from = axis < 0 ? 0 : camera.target[axis] + origin[axis];
    return this.show.cut ? `${digits(from + place * this.cutReach(), 3)} m` : "";
  },

  // Cuts across an axis, so that the half before the eye is away.
  setCut(cut) {
    this.show.cut = cut;
    const { back } = this.camera;
    this.show.cutFlip = { x: back[0], y: back[1], z: back[2] }[cut] < 0;
    this.changed();
  },

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
  },

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
    renderer.place(frame, this.looks, chosen.body, this.ghosts(), view, chosen.line, Boolean(this.show.cut));
    renderer.clearMarks();
    const options = this.options(view);
    const scales = this.show.flat ? {} : this.mark(view, options.dark, chosen);
    renderer.draw(view, options);
    showLegend(renderer, options, scales);
    this.panelsDue = true;
  },

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
    return { ...scales, contourEvery: show.contours ? about.contourEvery : 0 };
  },

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
  },

  async askCharts() {
    this.hasCharts = true;
    try {
      this.renderer.setOutlines(await this.source.charts());
    } catch (error) {
      this.say(error.message);
    }
    this.changed();
  },

  // What is beside the picture.
  showAside() {
    const { frame, player } = this;
    this.timeline.draw();
    this.plot.draw();
    if (!frame) return;
    const told = `${clock(frame.time, player.status.interval)} s`;
    const shown = `${told} ${player.playing} ${player.following} ${contactCount(frame)}`;
    if (this.toldAside !== shown) {
      this.toldAside = shown;
      byId("time").textContent = told;
      byId("play").textContent = player.playing ? "❚❚" : "▶";
      byId("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
      byId("live").setAttribute("aria-pressed", String(player.following));
      byId("canvas").setAttribute(
        "aria-label",
        `The bodies at ${told}, ${contactCount(frame)} contacts; drag or press arrow keys to turn, + and − to zoom`,
      );
    }
    if (this.panelsDue) this.refreshPanels();
  },

  // Numbers beside the picture need not change sixty times a second.
  refreshPanels() {
    const now = performance.now();
    if (now - (this.refreshed ?? 0) < 120) return;
    this.refreshed = now;
    this.panelsDue = false;
    this.panels?.refresh();
    this.plot?.readings().forEach(({ value }, k) => {
      const cell = byId("curves").children[k]?.querySelector(".value");
      if (cell) cell.textContent = digits(value, 5);
    });
  },
};
