// The anchor panel: what the paper's interface lets its user choose (Dopico et al., section 6), as fields of an ordinary
// scene with `[manoeuvre]`; the text of the scene is what is changed, so that text, form and panel are one.

import { element } from "./format.js";
import { parseCell, resolve } from "./form_schema.js";
import { at, GROUPS, MESHES, PULL, valueAt, WINDLASS } from "./anchor_fields.js";
import { anchorGroups } from "./anchor_groups.js";

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
    this.told = new Set();
    const below = this.side === "one" ? fields() : [this.table.element()];
    this.holder.replaceChildren(this.heading(), ...below);
    this.holder.scrollTop = scrolled;
    if (focus) this.holder.querySelector(`[data-path="${CSS.escape(focus)}"] :is(input, select)`)?.focus();
  }

  heading() {
    const remark = (this.studio.checked.remarks ?? []).find((text) => text.startsWith("manoeuvre:"));
    // Those that stand beside no field.
    const wrong = (this.studio.checked.complaints ?? []).filter(({ key }) => !this.told.has(key));
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
    if (wrong) this.told.add(path);
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
}

Object.assign(AnchorPanel.prototype, anchorGroups);

// Whether the command knows anchors.
export function knowsAnchors(schema) {
  return Boolean(resolve(schema, schema).properties?.manoeuvre);
}
