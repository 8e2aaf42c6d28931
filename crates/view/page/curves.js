// Curves and paths that are shown, and their names; methods of the page's App.

import { byId, CURVE_COLOURS, element, splitColumn } from "./format.js";

export const curveMethods = {
  // Where a scene asks for no figure: the heights of the first bodies that move.
  usualCurves() {
    if (this.player.status.frames < 2) return [];
    const up = this.about.up.map(Math.abs);
    const axis = ["x_m", "y_m", "z_m"][up.indexOf(Math.max(...up))];
    return this.about.bodies
      .filter((body) => body.free && !body.hidden)
      .slice(0, 3)
      .map((body) => `${body.name}.${axis}`);
  },

  label(name) {
    const at = name.lastIndexOf(".");
    const [owner, column] = [name.slice(0, at), name.slice(at + 1)];
    for (const columns of Object.values(this.about.sheets)) {
      const found = columns.find((own) => own.name === column);
      if (found) return `${owner}: ${splitColumn(found.name, found.unit)}`;
    }
    return name;
  },

  async togglePath(body) {
    if (this.paths.has(body)) this.paths.delete(body);
    else this.paths.set(body, await this.readPath(body));
    this.changed();
    this.panels.refresh();
  },

  // Where a body has been, in 2000 points at most.
  async readPath(body) {
    const { name } = this.about.bodies[body];
    const stride = Math.max(1, Math.ceil(this.player.status.frames / 2000));
    const curves = ["x_m", "y_m", "z_m"].map((axis) => `${name}.${axis}`);
    const { times, values } = await this.source.series(curves, 0, 2000, stride);
    const points = new Float32Array(3 * times.length);
    times.forEach((_, k) => values.forEach((axis, i) => (points[3 * k + i] = axis[k] - this.about.origin[i])));
    return { times, points };
  },

  async toggleCurve(name) {
    this.keepsCurves = true;
    const { curves } = this.plot;
    await this.setCurves(curves.includes(name) ? curves.filter((own) => own !== name) : [...curves, name]);
  },

  async setCurves(curves, over = this.plot.over) {
    await this.plot.setCurves(curves, over);
    byId("curves").replaceChildren(
      ...curves.map((name, k) => {
        const swatch = element("span", { class: "swatch" });
        swatch.style.backgroundColor = CURVE_COLOURS[k % CURVE_COLOURS.length];
        return element(
          "li",
          {},
          swatch,
          element("span", { class: "name", title: name }, this.label(name)),
          element("span", { class: "value" }),
          element(
            "button",
            { class: "quiet", "aria-label": `Remove ${name}`, onclick: () => this.toggleCurve(name) },
            "×",
          ),
        );
      }),
    );
    const select = byId("over");
    const candidates = [...new Set([...(this.plot.over ? [this.plot.over] : []), ...curves])];
    select.replaceChildren(
      element("option", { value: "" }, "time"),
      ...candidates.map((name) =>
        element("option", { value: name, selected: name === this.plot.over }, this.label(name)),
      ),
      element("option", { value: "…" }, "another column …"),
    );
    this.refreshed = 0;
    this.changed();
  },

  // Every curve there is, by its owner.
  owners() {
    const { bodies, joints, sheets } = this.about;
    const pairs = new Set(this.events.map((event) => `${event.a}|${event.b}`));
    const all = [
      { name: "energy", columns: sheets.energies },
      ...bodies.filter((body) => !body.hidden).map((body) => ({ name: body.name, columns: sheets.states })),
      ...[...pairs].sort().map((name) => ({ name, columns: sheets.contacts })),
      ...joints.map((name) => ({ name: `joint ${name}`, columns: sheets.joints })),
      ...Array.from({ length: this.about.windlasses ?? 0 }, (_, k) => ({
        name: `windlass ${k + 1}`,
        columns: sheets.windlasses,
      })),
      ...this.about.springs.map(({ name }) => ({ name, columns: sheets[name] })),
    ];
    const there = ({ name, columns }) => ({
      name,
      columns: columns.filter((column) => this.source.has(`${name}.${column.name}`)),
    });
    return all.map(there).filter((owner) => owner.columns.length > 0);
  },
};
