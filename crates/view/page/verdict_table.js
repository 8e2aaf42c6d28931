// Hulls and ways to begin, side by side: a table of verdicts that fills while the runs go on, each cell opening its motion.

import { digits, element, renew } from "./format.js";

// Hulls of measures: a mesh of the scene is not theirs.
const HULLS = [
  { name: "steep pipe", mesh: null, values: { pipe_angle: "60 deg", flare: "10 deg" } },
  { name: "flare and small lip", mesh: null, values: { pipe_angle: "60 deg", flare: "30 deg", lip_radius: "7 cm" } },
  { name: "shallow pipe", mesh: null, values: { pipe_angle: "40 deg", flare: "10 deg" } },
];
const STARTS = [
  { name: "quiet", values: {} },
  { name: "across and leaning", values: { heading: "90 deg", lean: "10 deg" } },
  { name: "swinging", values: { swing_speed: "0.8 m/s", tilt: "30 deg" } },
];
const START_KEYS = ["heading", "lean", "swing_speed", "tilt"];
const WORDS = { stowed: "good", askew: "fair", jammed: "bad", hanging: "open", swinging: "open" };

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

export class VerdictTable {
  constructor(studio) {
    this.studio = studio;
    this.hulls = HULLS.map((hull) => ({ ...hull, on: true }));
    this.starts = STARTS.map((start) => ({ ...start, on: true }));
    this.holder = element("section", { id: "verdicts", "aria-label": "Table of verdicts" });
    this.id = null;
  }

  element() {
    this.show();
    return this.holder;
  }

  show() {
    const cell = (hull, start) => this.cell(this.runOf(hull, start));
    const rows = this.starts.map((start) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, this.switch(start)),
        ...this.hulls.map((hull) => cell(hull, start)),
      ),
    );
    renew(this.holder, [
      element(
        "p",
        { class: "note" },
        "Each cell is the manoeuvre with the column's hull and the row's start; four run at once, or as many as there are cores.",
      ),
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Verdicts by hull and start" },
        element(
          "table",
          { class: "verdicts" },
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              element("td", {}),
              ...this.hulls.map((hull) => element("th", { scope: "col" }, this.switch(hull))),
            ),
          ),
          element("tbody", {}, ...rows),
        ),
      ),
      element(
        "div",
        { class: "bar wrap" },
        element("button", { class: "main", id: "run-table", onclick: () => this.run() }, "▶ Run the table"),
        element("button", { onclick: () => this.stop() }, "Stop"),
        element("button", { onclick: () => this.keepHull() }, "+ present hull"),
        element("button", { onclick: () => this.keepStart() }, "+ present start"),
      ),
    ]);
  }

  switch(entry) {
    const told = Object.entries(entry.values).map(([key, value]) => `${key} = ${value}`);
    return element(
      "label",
      { class: "bar", title: told.join(", ") || "as the scene has it, at rest" },
      element("input", {
        type: "checkbox",
        checked: entry.on,
        onchange: (event) => {
          entry.on = event.target.checked;
          this.show();
        },
      }),
      element("span", {}, entry.name),
    );
  }

  // The latest run of a cell.
  runOf(hull, start) {
    return this.studio.runs.find(({ label }) => label?.table && label.hull === hull.name && label.start === start.name);
  }

  cell(run) {
    if (!run) return element("td", {}, "–");
    const open = (...told) =>
      element("td", {}, element("button", { class: "verdict", onclick: () => this.studio.open(run.run) }, ...told));
    if (run.waiting) return element("td", { class: "small" }, "waits");
    if (run.alive) {
      const share = run.end > 0 ? Math.round((100 * (run.reached ?? 0)) / run.end) : 0;
      return open(element("span", { class: "open" }, `${share} %`));
    }
    const word = run.verdict?.split(":")[0].toLowerCase();
    if (!word && !run.state) {
      const tell = () => this.studio.say(run.words, true);
      return element(
        "td",
        {},
        element(
          "button",
          { class: "verdict", onclick: tell },
          element("span", { class: "bad", title: run.words }, "failed"),
        ),
      );
    }
    if (!word) return open(element("span", { class: "bad" }, run.state));
    const pull = run.outcome
      ? element("span", { class: "small" }, `${digits(run.outcome.pull_most_N / 1000, 3)} kN`)
      : null;
    return open(element("span", { class: WORDS[word] ?? "open" }, word), pull);
  }

  // The changes that make a cell of the scene.
  edits(hull, start) {
    const remove = (path) => ({ path, action: "remove" });
    const set = (path, value) => ({ path, action: "set", value });
    return [
      ...(hull.mesh === null ? [remove(["manoeuvre", "hull_mesh"])] : []),
      ...(hull.mesh ? [set(["manoeuvre", "hull_mesh"], hull.mesh)] : []),
      ...Object.entries(hull.values).map(([key, value]) => set(["manoeuvre", "hull", key], value)),
      ...START_KEYS.map((key) => remove(["manoeuvre", key])),
      ...Object.entries(start.values).map(([key, value]) => set(["manoeuvre", key], value)),
      set(["title"], `${hull.name}, ${start.name}`),
    ];
  }

  async run() {
    const { studio } = this;
    if (!studio.checked.valid) return studio.say("the manoeuvre has mistakes; the table needs one without", true);
    const { name, text, example } = studio.sent;
    try {
      for (const start of this.starts.filter((own) => own.on)) {
        for (const hull of this.hulls.filter((own) => own.on)) {
          const told = await studio.ask("api/edit", { text, edits: this.edits(hull, start) });
          const own = `${name}-${slug(hull.name)}-${slug(start.name)}`.slice(0, 64);
          const label = { table: true, hull: hull.name, start: start.name };
          await studio.ask("api/run", { text: told.text, name: own, example, waits: true, label });
        }
      }
      studio.say("the table runs");
    } catch (error) {
      studio.say(error.message, true);
    }
    return studio.listRuns();
  }

  async stop() {
    const own = this.studio.runs.filter((run) => run.label?.table && (run.alive || run.waiting));
    for (const run of own) await this.studio.act("stop", run.run);
  }

  keepHull() {
    const { hull, hull_mesh } = this.studio.checked.tree.manoeuvre;
    this.hulls.push({ name: `hull ${this.hulls.length + 1}`, values: { ...hull }, mesh: hull_mesh ?? null, on: true });
    this.show();
  }

  keepStart() {
    const { manoeuvre } = this.studio.checked.tree;
    const values = Object.fromEntries(START_KEYS.filter((key) => key in manoeuvre).map((key) => [key, manoeuvre[key]]));
    this.starts.push({ name: `start ${this.starts.length + 1}`, values, on: true });
    this.show();
  }
}
