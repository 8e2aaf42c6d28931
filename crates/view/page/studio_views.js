// What the studio shows beside a scene: the preview and runs, each in a frame of its own; methods of Studio.

import { byId, element, renew } from "./format.js";
import { Handles, poseEdits } from "./handles.js";

export const studioViews = {
  // Waits until a view has been loaded, or has failed.
  async settled(name) {
    for (let k = 0; k < 500 && this.views.has(name); k++) {
      const page = this.views.get(name).contentDocument;
      if (page?.documentElement?.dataset.ready || page?.getElementById("message")?.hidden === false) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  },

  // Shows views side by side: the preview, or runs by their numbers.
  show(views) {
    this.shown = views;
    for (const [name, frame] of this.views) {
      if (!views.includes(name)) {
        frame.remove();
        this.views.delete(name);
      }
    }
    views.forEach((name, place) => {
      if (!this.views.has(name)) {
        const frame = element("iframe", {
          src: `view/${name}/`,
          title: name === "preview" ? "The scene as it begins" : `Run ${name}`,
        });
        frame.addEventListener("load", () => this.wireStep(frame.contentWindow));
        this.views.set(name, frame);
        byId("frames").append(frame);
      }
      if (byId("frames").children[place] !== this.views.get(name)) byId("frames").append(this.views.get(name));
    });
    byId("frames").classList.toggle("many", views.length > 2);
    this.showTabs();
  },

  showTabs() {
    const tab = (views, name) =>
      element(
        "button",
        {
          role: "tab",
          "aria-selected": String(String(views) === String(this.shown)),
          onclick: () => (views[0] === "preview" ? this.show(views) : this.open(views[0])),
        },
        name,
      );
    const isShown = (run) => this.shown.includes(run.run);
    const latest = this.runs.filter((run, k) => run.state && (k < 4 || isShown(run)));
    const tabs = [tab(["preview"], "scene"), ...latest.map((run) => tab([run.run], this.runName(run)))];
    renew(byId("shown"), tabs);
    // Of many the one that is shown is seen.
    const chosen = byId("shown").querySelector("[aria-selected=true]");
    if (chosen) byId("shown").scrollLeft = chosen.offsetLeft - byId("shown").offsetLeft - 40;
  },

  runName(run) {
    return run.folder.split(/[\\/]/).pop();
  },

  viewer(name) {
    return this.views.get(name)?.contentWindow?.rattleback;
  },

  async reload(name) {
    const frame = this.views.get(name);
    const app = this.viewer(name);
    try {
      if (app?.player) await app.reload();
      else frame?.contentWindow?.location.reload();
    } catch (error) {
      // A view that is not shown any more need not be drawn.
      if (this.views.get(name) === frame) throw error;
    }
  },

  // A run that goes on is shown as it comes, until somebody looks at another instant.
  followLive() {
    for (const run of this.runs.filter((own) => own.alive && this.shown.includes(own.run))) {
      const app = this.viewer(run.run);
      if (!app?.player || app.wasFollowed) continue;
      app.wasFollowed = true;
      app.player.follow(true);
    }
  },

  // The bodies of the scene as it begins have handles.
  attachHandles() {
    const app = this.viewer("preview");
    if (!app?.view || !app.frame || app.handles) return;
    app.handles = new Handles(app, (name, moved, turned) => this.move(name, moved, turned));
    app.handles.canMove = (name) => (this.checked?.tree?.bodies ?? []).some((body) => body.name === name);
  },

  async move(name, moved, turned) {
    const { edits, reason } = poseEdits(this.checked?.tree, name, moved, turned);
    if (edits) return this.edit(edits);
    this.say(reason, true);
    return this.reload("preview");
  },

  // Of runs side by side the others follow the first.
  keepInStep() {
    const first = this.shown.length > 1 ? this.viewer(this.shown[0]) : null;
    if (!first?.player || !first.camera) return;
    // Each view is told where the first one is as soon as it has been loaded.
    const others = this.shown.slice(1).map((name) => this.viewer(name));
    for (const other of others.filter((own) => own?.player && own.camera && own.leader !== first)) {
      other.leader = first;
      first.changed();
    }
    if (first.linked) return;
    first.linked = true;
    const paint = first.paint.bind(first);
    first.paint = () => {
      paint();
      if (this.viewer(this.shown[0]) !== first) return;
      for (const other of this.shown.slice(1).map((name) => this.viewer(name))) {
        if (!other?.player || !other.camera) continue;
        if (other.player.time !== first.player.time) other.player.seek(first.player.time);
        const { azimuth, elevation, distance, parallel, target } = first.camera;
        Object.assign(other.camera, { azimuth, elevation, distance, parallel, target: [...target] });
        other.changed();
      }
    };
    first.changed();
  },
};
