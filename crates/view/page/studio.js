// The studio: a scene as text and as a form, drawn as it begins, run, watched and compared.

import { call } from "./api.js";
import { AnchorPanel, knowsAnchors } from "./anchor.js";
import { AnchorResult } from "./anchor_result.js";
import { ComparePanel } from "./compare.js";
import { listComplaints, paintText, placeCursor, scrollMarks } from "./editor.js";
import { byId, digits } from "./format.js";
import { SceneForm } from "./form.js";
import { GaitPanel } from "./gait.js";
import { showGallery } from "./gallery.js";
import { showRuns } from "./run_list.js";
import { stepShown } from "./stepping.js";
import { wireTabs } from "./tabs.js";
import { VerdictTable } from "./verdict_table.js";
import { studioViews } from "./studio_views.js";
import { studioRuns } from "./studio_runs.js";

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
    for (const list of ["parts", "modes", "shown"]) wireTabs(byId(list));
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

Object.assign(Studio.prototype, studioRuns);

Object.assign(Studio.prototype, studioViews);

const studio = new Studio();
globalThis.studio = studio;
studio.start().catch((error) => {
  console.error(error);
  studio.say(error.message, true);
});
