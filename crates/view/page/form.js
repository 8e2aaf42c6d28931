// A scene as a form, made from the schema: units, choices and descriptions come from there.

import { element } from "./format.js";
import { formInputs } from "./form_inputs.js";
import { hintOf, resolve, tables } from "./form_schema.js";

// In longer lists what is closed is made when it is opened.
const LONG = 40;

// The order in which people think of a scene.
const ORDER = [
  "title",
  "name",
  "type",
  "law",
  "description",
  "source",
  "gravity",
  "include",
  "parameters",
  "materials",
  "shapes",
];
ORDER.push(
  "manoeuvre",
  "bodies",
  "fixed",
  "position",
  "orientation",
  "shape",
  "joints",
  "chains",
  "forces",
  "contacts",
  "solver",
);
ORDER.push("run", "output");
const rank = (key) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.indexOf("shape") + 0.5);

// The groups that a key lies in, by their names.
const groupsOf = (key) => [...key.matchAll(/[.[]/g)].map(({ index }) => key.slice(0, index));

export class SceneForm {
  // `edit` takes {path, action, value}; `marks` says what is wrong by key.
  constructor(holder, schema, edit) {
    Object.assign(this, { holder, schema, edit });
    this.open = new Set(["", "bodies", "run"]);
    this.complaints = new Map();
    this.wrongGroups = new Set();
    // What the field that has the focus takes.
    this.hint = element("p", { class: "hint note" });
    holder.addEventListener("focusin", ({ target }) => {
      this.hint.textContent = target.closest("[data-hint]")?.dataset.hint ?? "";
    });
  }

  show(tree, complaints) {
    const { activeElement } = document;
    const focus = this.holder.contains(activeElement) ? activeElement.closest("[data-path]")?.dataset.path : null;
    const what = activeElement?.tagName === "SUMMARY" ? "summary" : ":is(input, select, textarea)";
    this.complaints = new Map(complaints.map((complaint) => [complaint.key, complaint.message]));
    const wrong = new Set([...this.complaints.keys()].flatMap((key) => [...groupsOf(key), key]));
    // What has become wrong is to be seen.
    for (const name of wrong) if (!this.wrongGroups.has(name)) this.open.add(name);
    this.wrongGroups = wrong;
    this.tree = tree;
    if (tree === null) {
      this.holder.replaceChildren(
        element("p", { class: "note" }, "The text is no TOML yet; the form comes back when it is."),
      );
      return;
    }
    const at = this.holder.scrollTop;
    const fields = this.fields(resolve(this.schema, this.schema), tree, []);
    this.holder.replaceChildren(...fields, ...this.knownNames(), this.hint);
    this.holder.scrollTop = at;
    if (focus) this.holder.querySelector(`[data-path="${CSS.escape(focus)}"] ${what}`)?.focus({ preventScroll: true });
  }

  // The key as complaints name it: bodies[1].shape.radius.
  key(path) {
    return path.reduce(
      (text, step) => (typeof step === "number" ? `${text}[${step}]` : text ? `${text}.${step}` : step),
      "",
    );
  }

  // The fields of a table: those that are there, and a choice of others.
  fields(schema, value, path) {
    const known = schema.properties ?? {};
    const there = Object.keys(value ?? {}).sort((a, b) => rank(a) - rank(b));
    const rows = there.map((key) =>
      this.field(key, resolve(known[key] ?? schema.additionalProperties ?? {}, this.schema), value[key], [
        ...path,
        key,
      ]),
    );
    const missing = Object.keys(known).filter((key) => !there.includes(key));
    if (schema.additionalProperties && typeof schema.additionalProperties === "object")
      rows.push(this.addNamed(schema.additionalProperties, path));
    else if (missing.length > 0) rows.push(this.addKey(known, missing, path));
    return rows;
  }

  field(key, schema, value, path) {
    const name = this.key(path);
    const wrong = this.complaints.get(name);
    const label = element("span", { class: "key", title: schema.description ?? "" }, key);
    const remove = element(
      "button",
      {
        class: "quiet remove",
        title: `Remove ${name}`,
        "aria-label": `Remove ${name}`,
        onclick: () => this.edit({ path, action: "remove" }),
      },
      "×",
    );
    const input = this.input(schema, value, path);
    if (input) {
      return element(
        "div",
        { class: `field${wrong ? " wrong" : ""}`, "data-path": name, "data-hint": hintOf(schema, this.schema) },
        element("label", { class: "bar" }, label, input, remove),
        wrong ? element("div", { class: "complaint" }, wrong) : null,
      );
    }
    return this.group(label, remove, schema, value, path, name, wrong);
  }

  group(label, remove, schema, value, path, name, wrong) {
    const count = Array.isArray(value) ? ` ${value.length}` : "";
    const kind = element("span", { class: "small" }, count || (value?.type ?? value?.law ?? ""));
    const { group, details } = this.folded(name, [label, kind], [remove]);
    if (wrong) details.append(element("div", { class: "complaint" }, wrong));
    details.append(...(Array.isArray(value) ? this.list(schema, value, path) : this.table(schema, value, path)));
    return group;
  }

  // What can be folded away, with its buttons beside the line that folds it.
  folded(name, heading, buttons, opened = () => {}) {
    const details = element(
      "details",
      {
        open: this.open.has(name),
        ontoggle: ({ target }) => {
          if (target.open) this.open.add(name);
          else this.open.delete(name);
          if (target.open) opened(details);
        },
      },
      element("summary", {}, ...heading),
    );
    const look = `group${this.wrongGroups.has(name) ? " wrong" : ""}`;
    const group = element("div", { class: look, "data-path": name }, details, element("span", { class: "tools" }, ...buttons));
    return { group, details };
  }

  list(schema, value, path) {
    const item = resolve(schema.items ?? {}, this.schema);
    const rows = value.map((own, k) => {
      const at = [...path, k];
      if (own === null || typeof own !== "object" || Array.isArray(own)) return this.field(`${k}`, item, own, at);
      const name = this.key(at);
      const isLazy = value.length > LONG && !this.open.has(name);
      const fill = (details) => isLazy && details.children.length === 1 && details.append(...this.table(item, own, at));
      const act = (action, text, title) =>
        element(
          "button",
          {
            class: "quiet",
            title: `${title} ${name}`,
            "aria-label": `${title} ${name}`,
            onclick: () => this.edit({ path: at, action }),
          },
          text,
        );
      const heading = element("span", { class: "key" }, own.name ?? own.type ?? `${k + 1}`);
      const buttons = [act("duplicate", "copy", "Copy"), act("remove", "×", "Remove")];
      const { group, details } = this.folded(name, [heading], buttons, fill);
      if (!isLazy) details.append(...this.table(item, own, at));
      return group;
    });
    rows.push(
      element(
        "button",
        { class: "quiet", onclick: () => this.edit({ path, action: "append", value: this.blank(item) }) },
        `+ ${this.key(path)}`,
      ),
    );
    return rows;
  }

  // A table, of the kind that its key `type` or its other keys say.
  table(schema, value, path) {
    const { kinds, tag } = tables(schema, this.schema);
    if (!schema.anyOf || kinds.length === 0) return this.fields(schema, value, path);
    if (!tag) {
      const fitting = kinds.find((own) => Object.keys(value).every((key) => key in (own.properties ?? {}))) ?? kinds[0];
      return this.fields(fitting, value, path);
    }
    const own = kinds.find((kind) => kind.properties[tag].const === value[tag]) ?? kinds[0];
    const select = element(
      "select",
      {
        "aria-label": `${this.key(path)}.${tag}`,
        onchange: (event) => {
          const next = kinds.find((kind) => kind.properties[tag].const === event.target.value);
          const kept = Object.fromEntries(
            Object.entries(value).filter(([key]) => key in next.properties && key !== tag),
          );
          this.edit({ path, action: "set", value: { ...this.blank(next), ...kept, [tag]: event.target.value } });
        },
      },
      ...kinds.map((kind) =>
        element(
          "option",
          { value: kind.properties[tag].const, selected: kind === own, title: kind.description },
          kind.properties[tag].const,
        ),
      ),
    );
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== tag));
    const properties = Object.fromEntries(Object.entries(own.properties).filter(([key]) => key !== tag));
    return [
      element(
        "div",
        { class: "field", "data-hint": own.description ?? "" },
        element("label", { class: "bar" }, element("span", { class: "key" }, tag), select),
      ),
      ...this.fields({ ...own, properties }, rest, path),
    ];
  }
}

Object.assign(SceneForm.prototype, formInputs);
