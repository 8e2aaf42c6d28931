// Runs compared: what their scenes have different, curves of all of them in one plot, motions side by side and in step.

import { call, seriesOf } from "./api.js";
import { LineChart } from "./chart.js";
import { CURVE_COLOURS, digits, element } from "./format.js";

// Motions side by side at most, and curves in one plot.
const SIDE_BY_SIDE = 4;
const MOST = CURVE_COLOURS.length;

// Every value of a tree by its key, as complaints name it.
export function flatten(tree, key = "", all = new Map()) {
  if (Array.isArray(tree)) tree.forEach((own, k) => flatten(own, `${key}[${k}]`, all));
  else if (tree !== null && typeof tree === "object")
    for (const [name, own] of Object.entries(tree)) flatten(own, key ? `${key}.${name}` : name, all);
  else all.set(key, String(tree));
  return all;
}

// The keys whose values are not the same in all trees, with the values of each.
export function differences(trees) {
  const flat = trees.map((tree) => flatten(tree));
  const keys = new Set(flat.flatMap((own) => [...own.keys()]));
  const rows = [...keys].map((key) => ({ key, values: flat.map((own) => own.get(key) ?? "–") }));
  return rows.filter(({ values }) => new Set(values).size > 1);
}

export class ComparePanel {
  constructor(holder, studio) {
    Object.assign(this, { holder, studio });
    this.chosen = [];
    this.curve = null;
    this.curves = [];
  }

  async enter() {
    if (!this.chart) this.build();
    const there = this.comparable();
    if (this.chosen.length === 0) this.chosen = there.slice(0, 2).map((run) => run.run);
    await this.show();
  }

  comparable() {
    return this.studio.runs.filter((run) => !run.waiting && run.state);
  }

  build() {
    this.list = element("div", { class: "choices" });
    this.select = element("input", {
      type: "text",
      list: "compare-curves",
      id: "compare-curve",
      spellcheck: "false",
      "aria-label": "Curve that is compared",
      onchange: () => this.draw(this.select.value),
    });
    this.names = element("datalist", { id: "compare-curves" });
    this.legend = element("ul", { class: "legend" });
    const canvas = element("canvas", { role: "img", class: "chart", "aria-label": "Curves of the runs" });
    this.table = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Differences" });
    this.holder.replaceChildren(
      element("h2", {}, "Runs compared"),
      this.list,
      element("h2", {}, "Curve"),
      this.select,
      this.names,
      this.legend,
      canvas,
      element("h2", {}, "What their scenes have different"),
      this.table,
    );
    this.chart = new LineChart(canvas, { x: "time in s", y: "" });
  }

  async show() {
    const runs = this.comparable();
    this.list.replaceChildren(
      ...(runs.length === 0 ? [element("p", { class: "note" }, "No scene has been run yet.")] : []),
      ...runs.map((run) => {
        const place = this.chosen.indexOf(run.run);
        const swatch = element("span", { class: "swatch" });
        if (place >= 0) swatch.style.backgroundColor = CURVE_COLOURS[place];
        return element(
          "label",
          { class: "option" },
          element("input", {
            type: "checkbox",
            checked: place >= 0,
            "data-run": String(run.run),
            onchange: (event) => this.toggle(run.run, event.target.checked),
          }),
          swatch,
          element("span", {}, this.studio.runName(run)),
          element("span", { class: "small" }, run.verdict?.split(":")[0] ?? `${digits(run.reached ?? 0, 4)} s`),
        );
      }),
    );
    this.studio.show(this.chosen.length > 0 ? this.chosen.slice(0, SIDE_BY_SIDE) : ["preview"]);
    await this.listCurves();
    await this.draw(this.curve);
    await this.tellDifferences();
  }

  async toggle(run, on) {
    this.chosen = on ? [...this.chosen, run].slice(-MOST) : this.chosen.filter((own) => own !== run);
    await this.show();
  }

  // The curves that the runs have in common.
  async listCurves() {
    const of = async (run) => {
      const { bodies, joints, sheets } = await call(`view/${run}/api/about`);
      const names = (owner, columns) => columns.map((column) => `${owner}.${column.name}`);
      return [
        ...names("energy", sheets.energies),
        ...bodies.filter((body) => body.free).flatMap((body) => names(body.name, sheets.states)),
        ...joints.flatMap((joint) => names(`joint ${joint}`, sheets.joints)),
        ...names("windlass 1", sheets.windlasses ?? []),
      ];
    };
    const lists = await Promise.all(this.chosen.map((run) => of(run).catch(() => [])));
    const [first = [], ...others] = lists.map((list) => new Set(list));
    this.curves = [...first].filter((name) => others.every((other) => other.has(name)));
    if (!this.curves.includes(this.curve))
      this.curve = this.curves.find((name) => name.endsWith(".z_m")) ?? this.curves[0] ?? null;
    this.names.replaceChildren(...this.curves.slice(0, 2000).map((name) => element("option", { value: name })));
    this.select.value = this.curve ?? "";
  }

  async draw(curve) {
    this.curve = curve;
    const runs = this.chosen.map((run) => this.studio.runs.find((own) => own.run === run)).filter(Boolean);
    const drawn = await Promise.all(
      runs.map(async (run, k) => {
        try {
          const { times, values } = await seriesOf(run.run, [curve]);
          return { name: this.studio.runName(run), colour: CURVE_COLOURS[k], times, values: values[0] };
        } catch (error) {
          this.studio.say(error.message, true);
          return null;
        }
      }),
    );
    const curves = curve ? drawn.filter(Boolean) : [];
    this.chart.show(curves, { x: "time in s", y: curve ?? "" });
    this.legend.replaceChildren(
      ...curves.map(({ name, colour }) => {
        const swatch = element("span", { class: "swatch" });
        swatch.style.backgroundColor = colour;
        return element("li", {}, swatch, name);
      }),
    );
  }

  async tellDifferences() {
    const trees = await Promise.all(
      this.chosen.map((run) =>
        call(`api/scene?run=${run}`)
          .then(({ tree }) => tree)
          .catch(() => ({})),
      ),
    );
    const rows = trees.length > 1 ? differences(trees) : [];
    const names = this.chosen
      .map((run) => this.studio.runs.find((own) => own.run === run))
      .map((run) => (run ? this.studio.runName(run) : ""));
    this.table.replaceChildren(
      rows.length === 0
        ? element(
            "p",
            { class: "note" },
            trees.length > 1 ? "Nothing: their scenes are the same." : "Choose two runs or more.",
          )
        : element(
            "table",
            { id: "differences" },
            element(
              "thead",
              {},
              element(
                "tr",
                {},
                element("th", {}, "key"),
                ...names.map((name) => element("th", { scope: "col" }, name)),
              ),
            ),
            element(
              "tbody",
              {},
              ...rows
                .slice(0, 200)
                .map(({ key, values }) =>
                  element(
                    "tr",
                    {},
                    element("th", { scope: "row" }, key),
                    ...values.map((value) => element("td", {}, value)),
                  ),
                ),
            ),
          ),
    );
  }
}
