// The anchor panel: what the paper's interface lets its user choose (Dopico et al., section 6), as fields of an ordinary
// scene with `[manoeuvre]`; the text of the scene is what is changed, so that text, form and panel are one.

import { element } from "./format.js";
import { parseMeasure, writeMeasure } from "./measure.js";
import { resolve, parseCell } from "./form.js";
import { GROUPS, HULL, MESHES, MORE_OF_PIPE, MORE_OF_PLATING, PITCH, PULL, SEA, WINDLASS } from "./anchor_fields.js";

const at = (path) => path.split(".");

// What stands at a path of a tree.
export const valueAt = (tree, path) => path.reduce((own, key) => own?.[key], tree);

export class AnchorPanel {
  // `studio` edits, checks and runs the scene; `table` sets hulls and starts side by side.
  constructor(holder, studio, table) {
    Object.assign(this, { holder, studio, table });
    this.meshes = [];
    this.open = new Set(["Time", "Hull", "Anchor", "Chain and windlass", "Start"]);
    this.side = "one";
  }

  get isManoeuvre() {
    return Boolean(this.studio.checked?.tree?.manoeuvre);
  }

  // Opens the panel on the scene at hand, or on the built-in manoeuvre where that is none.
  async enter() {
    this.meshes = (await this.studio.ask("api/files")).filter((name) => MESHES.test(name));
    if (!this.isManoeuvre) await this.takeDefaults();
    this.show();
  }

  // The built-in manoeuvre with a figure of the pull, and without pictures at instants that belong to its duration.
  async takeDefaults() {
    const { text } = await this.studio.ask("api/example?name=stow");
    const plot = { title: "Pull of the windlass", label: "in N", curves: [PULL] };
    const edits = [
      { path: ["output", "pictures"], action: "remove" },
      { path: ["output", "plots"], action: "remove" },
      { path: ["output", "plots"], action: "append", value: plot },
    ];
    const told = await this.studio.ask("api/edit", { text, edits });
    await this.studio.openText({ name: "manoeuvre", text: told.text, example: null }, "anchor");
  }

  show() {
    const { tree, complaints } = this.studio.checked ?? {};
    if (this.studio.part !== "anchor" || !tree) return;
    this.tree = tree;
    this.complaints = new Map((complaints ?? []).map((own) => [own.key, own.message]));
    const focus = document.activeElement?.closest?.("#part-anchor [data-path]")?.dataset.path;
    const scrolled = this.holder.scrollTop;
    const fields = () => [
      this.group(GROUPS[0].title, this.rows(GROUPS[0].fields)),
      this.group("Hull", this.hull()),
      this.group("Anchor", this.anchor()),
      this.group("Chain and windlass", [...this.rows(WINDLASS), ...this.links()]),
      this.group(GROUPS[1].title, this.rows(GROUPS[1].fields)),
      this.group(GROUPS[2].title, this.rows(GROUPS[2].fields)),
      this.group("Sea", this.sea()),
    ];
    this.holder.replaceChildren(this.heading(), ...(this.side === "one" ? fields() : [this.table.element()]));
    this.holder.scrollTop = scrolled;
    if (focus) this.holder.querySelector(`[data-path="${CSS.escape(focus)}"] :is(input, select)`)?.focus();
  }

  heading() {
    const remark = (this.studio.checked.remarks ?? []).find((text) => text.startsWith("manoeuvre:"));
    const wrong = (this.studio.checked.complaints ?? []).filter(({ key }) => !this.isShown(key));
    return element(
      "div",
      {},
      element(
        "div",
        { class: "bar" },
        this.sideButton("one", "Manoeuvre"),
        this.sideButton("table", "Hulls and starts"),
        element("span", { class: "grow" }),
        element("button", { onclick: () => this.takeDefaults(), title: "The built-in manoeuvre" }, "Defaults"),
      ),
      element("p", { class: "note" }, remark ? remark.replace("manoeuvre: ", "") : ""),
      ...wrong.map(({ key, message }) =>
        element("p", { class: "complaint wide" }, `${key ? `${key}: ` : ""}${message}`),
      ),
    );
  }

  // One manoeuvre by its fields, or the table of many.
  sideButton(side, text) {
    const choose = () => {
      this.side = side;
      this.show();
    };
    return element(
      "button",
      { id: `anchor-${side}`, class: "side", "aria-pressed": String(this.side === side), onclick: choose },
      text,
    );
  }

  // Whether a complaint has a field beside which it stands.
  isShown(key) {
    const fields = [
      ...HULL,
      ...MORE_OF_PIPE,
      ...MORE_OF_PLATING,
      ...WINDLASS,
      ...GROUPS.flatMap((group) => group.fields),
    ];
    return fields.some(([path]) => path === key);
  }

  group(title, rows) {
    return element(
      "details",
      {
        class: "group",
        open: this.open.has(title),
        ontoggle: (event) => (event.target.open ? this.open.add(title) : this.open.delete(title)),
      },
      element("summary", {}, element("span", { class: "key" }, title)),
      ...rows,
    );
  }

  schemaAt(path) {
    const root = this.studio.form.schema;
    return path.reduce((own, key) => resolve(resolve(own, root).properties?.[key] ?? {}, root), root);
  }

  rows(fields) {
    return fields.map(([path, label]) => this.row(path, label));
  }

  row(path, label) {
    const steps = at(path);
    const schema = this.schemaAt(steps);
    const value = valueAt(this.tree, steps);
    const input =
      schema.type === "boolean"
        ? element("input", {
            type: "checkbox",
            checked: value === true,
            onchange: (event) => this.set(steps, event.target.checked),
          })
        : element("input", {
            type: "text",
            value: value === undefined ? "" : String(value),
            placeholder: "default",
            spellcheck: "false",
            onchange: (event) => this.put(steps, event.target.value),
          });
    return this.field(path, label, input, schema.description);
  }

  field(path, label, input, description = "") {
    const wrong = this.complaints.get(path);
    return element(
      "div",
      { class: `field${wrong ? " wrong" : ""}`, "data-path": path, title: description },
      element("label", { class: "bar" }, element("span", { class: "key long" }, label), input),
      wrong ? element("div", { class: "complaint" }, wrong) : null,
    );
  }

  // An emptied field takes the default again.
  put(path, text) {
    if (text.trim() === "") return this.studio.edit([{ path, action: "remove" }]);
    const edits = [{ path, action: "set", value: parseCell(text) }];
    // Instants of pictures belong to the duration that they were chosen for.
    if (path.join(".") === "run.duration" && this.tree.output?.pictures?.instants)
      edits.push({ path: ["output", "pictures"], action: "remove" });
    return this.studio.edit(edits);
  }

  set(path, value) {
    return this.studio.edit([{ path, action: "set", value }]);
  }

  choice(label, choices, chosen, act) {
    return this.field(
      "",
      label,
      element(
        "select",
        { onchange: (event) => act(event.target.value), "aria-label": label },
        ...choices.map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
      ),
    );
  }

  // A mesh file of the studio's folder.
  mesh(path, label) {
    const value = valueAt(this.tree, [...at(path), "file"]) ?? "";
    const names = [...new Set([value, ...this.meshes])];
    return this.field(
      `${path}.file`,
      label,
      element(
        "select",
        { onchange: (event) => this.set([...at(path), "file"], event.target.value) },
        ...names.map((name) => element("option", { value: name, selected: name === value }, name || "choose a file")),
      ),
    );
  }

  hull() {
    const hasMesh = this.tree.manoeuvre.hull_mesh !== undefined;
    const path = ["manoeuvre", "hull_mesh"];
    const choose = (value) =>
      value === "mesh"
        ? this.chooseMesh([{ path: [...path, "file"], action: "set", value: this.meshes[0] }])
        : this.studio.edit([{ path, action: "remove" }]);
    const kind = this.choice(
      "model",
      [
        ["measures", "built of measures"],
        ["mesh", "mesh file"],
      ],
      hasMesh ? "mesh" : "measures",
      choose,
    );
    const file = hasMesh
      ? [
          this.mesh("manoeuvre.hull_mesh", "mesh of the hull"),
          this.row("manoeuvre.hull_mesh.scale", "scale of the file"),
        ]
      : [];
    const more = this.rows(hasMesh ? MORE_OF_PIPE : [...MORE_OF_PIPE, ...MORE_OF_PLATING]);
    return [kind, ...file, ...this.rows(HULL), this.group("More measures", more)];
  }

  chooseMesh(edits) {
    if (this.meshes.length > 0) return this.studio.edit(edits);
    this.studio.say("there is no mesh file in the studio's folder: STL, OBJ, PLY, OFF, 3MF, glTF or COLLADA", true);
    return this.show();
  }

  anchor() {
    const isMesh = this.tree.manoeuvre.anchor?.head !== undefined;
    const own = (key) => ["manoeuvre", "anchor", key];
    const choose = (value) => {
      const remove = (keys) => keys.map((key) => ({ path: own(key), action: "remove" }));
      const put = (key, value) => ({ path: own(key), action: "set", value });
      if (value === "measures")
        return this.studio.edit([...remove(["head", "shank", "shank_length"]), put("mass", "3 t")]);
      const [file] = this.meshes;
      return this.chooseMesh([
        ...remove(["mass"]),
        put("head", { file }),
        put("shank", { file }),
        put("shank_length", "2 m"),
      ]);
    };
    const kind = this.choice(
      "model",
      [
        ["measures", "built for a mass"],
        ["mesh", "mesh files"],
      ],
      isMesh ? "mesh" : "measures",
      choose,
    );
    const rows = isMesh
      ? [
          this.mesh("manoeuvre.anchor.head", "mesh of the head"),
          this.mesh("manoeuvre.anchor.shank", "mesh of the shank"),
          this.row("manoeuvre.anchor.shank_length", "shank length"),
        ]
      : [this.row("manoeuvre.anchor.mass", "mass")];
    return [
      kind,
      ...rows,
      this.row("manoeuvre.anchor.tripping_angle", "tripping angle"),
      this.row("manoeuvre.anchor.density", "density"),
    ];
  }

  // The number of links, which the depth says, and the kinds of the last ones.
  links() {
    const count = (this.studio.checked.names ?? []).filter((name) => name.startsWith("chain ")).length;
    const path = ["manoeuvre", "links"];
    const given = this.tree.manoeuvre.links;
    const list = given ?? ["enlarged", "swivel", "end"];
    const kinds = resolve(this.schemaAt(path).items, this.studio.form.schema).anyOf ?? [];
    const change = (next) => this.set(path, next);
    const one = (kind, k) =>
      element(
        "span",
        { class: "bar link" },
        element(
          "select",
          {
            "aria-label": `Kind of link ${k + 1} of the last ones`,
            onchange: (event) => change(list.map((own, j) => (j === k ? event.target.value : own))),
          },
          ...kinds.map(({ const: value, description }) =>
            element("option", { value, selected: value === kind, title: description }, value.replace("_", " ")),
          ),
        ),
        element(
          "button",
          {
            class: "quiet remove",
            "aria-label": `Remove link ${k + 1} of the last ones`,
            onclick: () => change(list.filter((_, j) => j !== k)),
          },
          "×",
        ),
      );
    const number = element("input", {
      type: "number",
      id: "link-count",
      value: String(count),
      min: String(list.length + 1),
      onchange: (event) => this.setCount(count, Number(event.target.value)),
    });
    return [
      this.field("", "number of links", number, "All links from the windlass to the anchor; the depth follows."),
      this.field(
        "manoeuvre.links",
        "last links",
        element("span", { class: "links" }, ...list.map(one)),
        "From the common ones to the anchor.",
      ),
      element(
        "button",
        { class: "quiet", onclick: () => change([...list, kinds[0]?.const ?? "common"]) },
        "+ link at the anchor",
      ),
    ];
  }

  // More links hang lower, by their pitch each.
  setCount(old, wanted) {
    const { depth = 3, diameter } = this.tree.manoeuvre;
    const [from, bar] = [parseMeasure(depth, "length"), parseMeasure(diameter, "length")];
    if (!from || !bar || !(wanted > 0))
      return this.studio.say("the number of links follows from depth and diameter, which are expressions here", true);
    const next = from.value + (wanted - old) * PITCH * bar.value;
    return this.set(["manoeuvre", "depth"], writeMeasure(next, from.unit ?? "m", "length"));
  }

  sea() {
    const path = ["manoeuvre", "motion"];
    const { motion } = this.tree.manoeuvre;
    const isSea = motion?.type === "seaway";
    const kind = motion === undefined ? "calm" : isSea ? (motion.spectrum?.type ?? "other") : "other";
    const choices = [
      ["calm", "calm"],
      ["jonswap", "JONSWAP"],
      ["pierson-moskowitz", "Pierson–Moskowitz"],
    ];
    if (!choices.some(([value]) => value === kind)) choices.push([kind, motion?.type ?? kind]);
    const choose = (value) => {
      if (value === "calm") return this.studio.edit([{ path, action: "remove" }]);
      const { height, peak_period } = isSea && motion.spectrum.height ? motion.spectrum : SEA.spectrum;
      const spectrum = { ...(value === "jonswap" ? SEA.spectrum : {}), type: value, height, peak_period };
      const next = isSea ? { ...motion, spectrum } : { ...SEA, spectrum };
      return this.set(path, next);
    };
    const rows = [this.choice("sea state", choices, kind, choose)];
    if (!isSea) return rows;
    const own = (...steps) => [...path, ...steps];
    const cell = (label, steps, description) => {
      const value = valueAt(this.tree, own(...steps));
      return this.field(
        own(...steps).join("."),
        label,
        element("input", {
          type: "text",
          value: value === undefined ? "" : String(value),
          placeholder: "default",
          onchange: (event) => this.put(own(...steps), event.target.value),
        }),
        description,
      );
    };
    rows.push(cell("wave height", ["spectrum", "height"], "The significant wave height"));
    rows.push(cell("peak period", ["spectrum", "peak_period"], "The period at the peak"));
    if (kind === "jonswap") rows.push(cell("peakedness", ["spectrum", "peakedness"], "From 1 to 10"));
    rows.push(
      cell("seed", ["seed"], "Which stretch of the same sea"),
      cell("ramp", ["ramp"], "The motion grows so long"),
    );
    (motion.responses ?? []).forEach((response, k) => {
      const key = response.per_metre === undefined ? "significant" : "per_metre";
      const label = `${response.freedom}, ${key === "per_metre" ? "per metre of wave" : "significant"}`;
      rows.push(cell(label, ["responses", k, key], "How the ship answers the waves"));
    });
    return rows;
  }
}

// Whether the command knows anchors.
export function knowsAnchors(schema) {
  return Boolean(resolve(schema, schema).properties?.manoeuvre);
}
