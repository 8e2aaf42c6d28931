// The studio: a scene as text and as a form, drawn as it begins, run, watched and compared.

import { call } from "./api.js";
import { AnchorPanel, knowsAnchors } from "./anchor.js";
import { AnchorResult } from "./anchor_result.js";
import { ComparePanel } from "./compare.js";
import { listComplaints, paintText, placeCursor, scrollMarks } from "./editor.js";
import { byId, digits, element } from "./format.js";
import { SceneForm } from "./form.js";
import { GaitPanel } from "./gait.js";
import { showGallery } from "./gallery.js";
import { Handles, poseEdits } from "./handles.js";
import { showRuns } from "./run_list.js";
import { stepShown } from "./stepping.js";
import { VerdictTable } from "./verdict_table.js";

const CHECK_PAUSE = 250;
const RUNS_PAUSE = 700;
const PARTS = ["scene", "anchor", "gait", "compare"];

class Studio {
  constructor() {
    this.example = null;
    this.complaints = [];
    this.runs = [];
    this.shown = ["preview"];
    this.views = new Map();
    this.version = 0;
    this.part = "scene";
    this.undone = [];
  }

  ask(path, body) {
    return call(path, body);
  }

  async start() {
    this.setTheme(
      localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
    );
    const schema = await call("api/schema");
    this.form = new SceneForm(byId("form"), schema, (edit) => this.edit([edit]));
    this.table = new VerdictTable(this);
    this.anchor = new AnchorPanel(byId("part-anchor"), this, this.table);
    this.result = new AnchorResult(byId("result"));
    this.gait = new GaitPanel(byId("part-gait"), byId("gait-view"), this);
    this.compare = new ComparePanel(byId("part-compare"), this);
    byId("tab-anchor").hidden = !knowsAnchors(schema);
    byId("tab-gait").hidden = (await call("api/tools")).length === 0;
    this.wire();
    this.setMode("text");
    this.load(await call("api/opened"));
    await this.check();
    await this.listRuns();
    this.show(["preview"]);
    document.documentElement.dataset.ready = "true";
    this.watch();
  }

  load({ name, text, example }) {
    byId("name").value = name;
    this.example = example;
    byId("text").value = text;
    byId("text").scrollTop = 0;
    paintText(this.complaints);
  }

  get sent() {
    return { text: byId("text").value, name: byId("name").value, example: this.example };
  }

  say(text, bad = false) {
    byId("said").textContent = text;
    byId("said").className = bad ? "bad" : "";
  }

  // Asks what is wrong; the picture follows a text without mistakes. One check after the other: what is drawn is that of
  // the last one, which must not change while a view is still being loaded from it.
  async check() {
    const turn = ++this.version;
    const before = this.checking;
    let done = null;
    this.checking = new Promise((resolve) => (done = resolve));
    await before;
    // A later one has been asked for meanwhile.
    if (turn === this.version) await this.checkNow(turn);
    done();
  }

  // Waits until a view has been loaded, or has failed.
  async settled(name) {
    for (let k = 0; k < 500 && this.views.has(name); k++) {
      const page = this.views.get(name).contentDocument;
      if (page?.documentElement?.dataset.ready || page?.getElementById("message")?.hidden === false) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async checkNow(turn) {
    await this.settled("preview");
    try {
      const told = await call("api/check", this.sent);
      this.complaints = told.complaints;
      this.checked = told;
      for (const id of ["run", "step"]) byId(id).disabled = !told.valid;
      byId("summary").textContent = told.valid
        ? `${told.bodies} bodies, ${digits(told.duration, 4)} s`
        : `${told.complaints.length} wrong`;
      this.form.show(told.tree, told.complaints);
      this.anchor.show();
      if (told.valid) await this.reload("preview");
    } catch (error) {
      this.say(error.message, true);
    }
    paintText(this.complaints);
    this.showComplaints();
    document.documentElement.dataset.checked = String(turn);
  }

  // Changes of the text, one after the other: each is of the text that the last one left.
  edit(edits) {
    this.editing = (this.editing ?? Promise.resolve()).then(() => this.editNow(edits));
    return this.editing;
  }

  async editNow(edits) {
    try {
      const { text } = await call("api/edit", { ...this.sent, edits });
      this.remember();
      byId("text").value = text;
      paintText(this.complaints);
      this.say("");
    } catch (error) {
      this.say(error.message, true);
      this.anchor.show();
      return;
    }
    // The next change need not wait for what is drawn.
    this.check();
  }

  // Keeps the text as it is, so that a change by form, panel or handle can be undone.
  remember() {
    this.undone.push(byId("text").value);
    if (this.undone.length > 100) this.undone.shift();
    byId("undo").disabled = false;
  }

  async undo() {
    const text = this.undone.pop();
    byId("undo").disabled = this.undone.length === 0;
    if (text === undefined) return;
    byId("text").value = text;
    await this.check();
  }

  // One of the parts: the scene, the anchor panel, the gait panel, runs compared.
  async setPart(part) {
    this.part = part;
    for (const own of PARTS) {
      byId(`tab-${own}`).setAttribute("aria-selected", String(own === part));
      byId(`part-${own}`).hidden = own !== part;
    }
    byId("desk").classList.toggle("both", part === "scene" && this.mode === "both");
    byId("gait-view").hidden = part !== "gait";
    byId("watch").hidden = part === "gait";
    byId("runs").hidden = part === "compare";
    showRuns(this);
    for (const id of ["run", "step"]) byId(id).hidden = part === "gait" || part === "compare";
    if (part !== "compare" && this.shown.length > 1) this.show(["preview"]);
    try {
      if (part !== "scene") await this[part].enter();
    } catch (error) {
      this.say(error.message, true);
    }
    this.showResult();
  }

  // A run of the list in the picture, with what became of it.
  open(run) {
    this.show([run]);
    this.showResult();
  }

  showResult() {
    const run = this.runs.find((own) => own.run === this.shown[0]);
    if (run && this.shown.length === 1 && this.part !== "compare") this.result.show(run);
    else this.result.hide();
  }

  // A text that did not come from the gallery.
  async openText(scene, part = "scene") {
    if (part !== this.part) await this.setPart(part);
    this.remember();
    this.load(scene);
    this.show(["preview"]);
    await this.check();
    this.viewer("preview")?.home?.();
  }

  showComplaints() {
    listComplaints(this.complaints, this.checked?.valid ? this.checked.remarks : [], (line, column) => {
      this.setMode(this.mode === "form" ? "both" : this.mode);
      placeCursor(line, column);
    });
  }

  setMode(mode) {
    this.mode = mode;
    for (const own of ["text", "both", "form"]) byId(`mode-${own}`).setAttribute("aria-selected", String(own === mode));
    byId("sides").className = mode;
    byId("desk").classList.toggle("both", mode === "both" && this.part === "scene");
    byId("editor").hidden = mode === "form";
    byId("form").hidden = mode === "text";
  }

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
  }

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
    byId("shown").replaceChildren(...tabs);
  }

  runName(run) {
    return run.folder.split(/[\\/]/).pop();
  }

  viewer(name) {
    return this.views.get(name)?.contentWindow?.rattleback;
  }

  async reload(name) {
    const app = this.viewer(name);
    if (app?.player) await app.reload();
    else this.views.get(name)?.contentWindow?.location.reload();
  }

  async run() {
    try {
      const run = await this.begin();
      this.say("started");
      await this.waitFor(run);
    } catch (error) {
      this.say(error.message, true);
    }
  }

  // Starts a run of the text; returns its number.
  async begin(options = {}) {
    const label = { manoeuvre: this.anchor.isManoeuvre };
    const { run } = await call("api/run", { ...this.sent, label, ...options });
    return run;
  }

  // Shows a run as soon as its folder is there, and follows it.
  async waitFor(run) {
    for (let k = 0; k < 200; k++) {
      await this.listRuns();
      const own = this.runs.find((other) => other.run === run);
      if (own?.state) return this.open(run);
      if (own && !own.alive && own.words) return this.say(own.words, true);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async act(what, run) {
    try {
      await call(`api/${what}`, { run });
      await this.listRuns();
    } catch (error) {
      this.say(error.message, true);
    }
  }

  async listRuns() {
    this.runs = await call("api/runs");
    // A manoeuvre is known by the scene that was sent, until its verdict tells.
    for (const run of this.runs) run.isManoeuvre = run.label?.manoeuvre === true;
    this.showTabs();
    this.showResult();
    if (this.part === "anchor") this.table.show();
    showRuns(this);
  }

  async watch() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RUNS_PAUSE));
      if (this.runs.some((run) => run.alive || run.waiting))
        await this.listRuns().catch(() => this.say("the studio does not answer any more", true));
      this.keepInStep();
      this.attachHandles();
      this.followLive();
    }
  }

  // A run that goes on is shown as it comes, until somebody looks at another instant.
  followLive() {
    for (const run of this.runs.filter((own) => own.alive && this.shown.includes(own.run))) {
      const app = this.viewer(run.run);
      if (!app?.player || app.wasFollowed) continue;
      app.wasFollowed = true;
      app.player.follow(true);
    }
  }

  // The bodies of the scene as it begins have handles.
  attachHandles() {
    const app = this.viewer("preview");
    if (!app?.view || !app.frame || app.handles) return;
    app.handles = new Handles(app, (name, moved, turned) => this.move(name, moved, turned));
    app.handles.canMove = (name) => (this.checked?.tree?.bodies ?? []).some((body) => body.name === name);
  }

  async move(name, moved, turned) {
    const { edits, reason } = poseEdits(this.checked?.tree, name, moved, turned);
    if (edits) return this.edit(edits);
    this.say(reason, true);
    return this.reload("preview");
  }

  // Of runs side by side the others follow the first.
  keepInStep() {
    const first = this.shown.length > 1 ? this.viewer(this.shown[0]) : null;
    if (!first?.player || !first.camera || first.linked) return;
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
  }

  async take(name) {
    await this.takeFrom(`api/example?name=${encodeURIComponent(name)}`);
  }

  async takeOwn(name) {
    await this.takeFrom(`api/open?name=${encodeURIComponent(name)}`);
  }

  async takeFrom(path) {
    byId("dialog").close();
    this.remember();
    this.load(await call(path));
    this.show(["preview"]);
    this.showResult();
    await this.check();
    this.viewer("preview")?.home?.();
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    // Views that are opened later take it from there.
    localStorage.setItem("theme", theme);
    for (const name of this.views.keys()) this.viewer(name)?.setTheme(theme);
  }

  // The key of a step, in the studio and in the views that it shows.
  wireStep(target) {
    target.addEventListener("keydown", (event) => {
      if (event.key !== "F10" || byId("step").hidden || byId("step").disabled) return;
      event.preventDefault();
      stepShown(this);
    });
  }

  wire() {
    const text = byId("text");
    let timer = null;
    text.addEventListener("input", () => {
      paintText(this.complaints);
      clearTimeout(timer);
      timer = setTimeout(() => this.check(), CHECK_PAUSE);
    });
    text.addEventListener("scroll", () => scrollMarks());
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
    });
    for (const mode of ["text", "both", "form"])
      byId(`mode-${mode}`).addEventListener("click", () => this.setMode(mode));
    for (const part of PARTS) byId(`tab-${part}`).addEventListener("click", () => this.setPart(part));
    byId("undo").addEventListener("click", () => this.undo());
    byId("run").addEventListener("click", () => this.run());
    byId("step").addEventListener("click", () => stepShown(this));
    this.wireStep(window);
    byId("gallery-button").addEventListener("click", () => showGallery(this));
    byId("theme").addEventListener("click", () =>
      this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
    );
    byId("save").addEventListener("click", async () => {
      try {
        const { file } = await call("api/save", this.sent);
        this.say(`saved: ${file}`);
      } catch (error) {
        this.say(error.message, true);
      }
    });
  }
}

const studio = new Studio();
globalThis.studio = studio;
studio.start().catch((error) => {
  console.error(error);
  studio.say(error.message, true);
});
