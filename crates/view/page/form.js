// A scene as a form, made from the schema: units, choices and descriptions come from there.

import { element } from "./format.js";
import { formInputs } from "./form_inputs.js";
import { resolve } from "./form_schema.js";

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
  }

  show(tree, complaints) {
    const focus = document.activeElement?.closest?.("[data-path]")?.dataset.path;
    this.complaints = new Map(complaints.map((complaint) => [complaint.key, complaint.message]));
    this.wrongGroups = new Set([...this.complaints.keys()].flatMap(groupsOf));
    if (tree === null) {
      this.holder.replaceChildren(
        element("p", { class: "note" }, "The text is no TOML yet; the form comes back when it is."),
      );
      return;
    }
    const at = this.holder.scrollTop;
    this.holder.replaceChildren(...this.fields(resolve(this.schema, this.schema), tree, []));
    this.holder.scrollTop = at;
    if (focus)
      this.holder
        .querySelector(`[data-path="${CSS.escape(focus)}"] input, [data-path="${CSS.escape(focus)}"] select`)
        ?.focus();
  }

  // Whether something within a key is wrong, which a group that is closed would hide.
  hasWrong(name) {
    return this.wrongGroups.has(name);
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
        { class: `field${wrong ? " wrong" : ""}`, "data-path": name },
        element("label", { class: "bar" }, label, input, remove),
        wrong ? element("div", { class: "complaint" }, wrong) : null,
      );
    }
    return this.group(label, remove, schema, value, path, name, wrong);
  }

  group(label, remove, schema, value, path, name, wrong) {
    const details = element("details", {
      class: `group${wrong || this.hasWrong(name) ? " wrong" : ""}`,
      open: this.open.has(name),
      "data-path": name,
      ontoggle: (event) => (event.target.open ? this.open.add(name) : this.open.delete(name)),
    });
    const count = Array.isArray(value) ? ` ${value.length}` : "";
    details.append(
      element(
        "summary",
        {},
        label,
        element("span", { class: "small" }, count || (value?.type ?? value?.law ?? "")),
        element("span", { class: "grow" }),
        remove,
      ),
    );
    if (wrong) details.append(element("div", { class: "complaint" }, wrong));
    details.append(...(Array.isArray(value) ? this.list(schema, value, path) : this.table(schema, value, path)));
    return details;
  }

  list(schema, value, path) {
    const item = resolve(schema.items ?? {}, this.schema);
    const rows = value.map((own, k) => {
      const at = [...path, k];
      if (own === null || typeof own !== "object" || Array.isArray(own)) return this.field(`${k}`, item, own, at);
      const name = this.key(at);
      const details = element("details", {
        class: `group${this.complaints.has(name) || this.hasWrong(name) ? " wrong" : ""}`,
        open: this.open.has(name),
        "data-path": name,
        ontoggle: ({ target }) => {
          if (target.open) this.open.add(name);
          else this.open.delete(name);
          if (target.open && isLazy && target.children.length === 1) details.append(...this.table(item, own, at));
        },
      });
      const isLazy = value.length > LONG && !this.open.has(name);
      const act = (action, text, title) =>
        element(
          "button",
          {
            class: "quiet",
            title: `${title} ${name}`,
            "aria-label": `${title} ${name}`,
            onclick: (event) => {
              event.preventDefault();
              this.edit({ path: at, action });
            },
          },
          text,
        );
      details.append(
        element(
          "summary",
          {},
          element("span", { class: "key" }, own.name ?? own.type ?? `${k + 1}`),
          element("span", { class: "grow" }),
          act("duplicate", "copy", "Duplicate"),
          act("remove", "×", "Remove"),
        ),
      );
      if (!isLazy) details.append(...this.table(item, own, at));
      return details;
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
    const kinds = schema.anyOf?.map((own) => resolve(own, this.schema)).filter((own) => own.type === "object");
    if (!kinds || kinds.length === 0) return this.fields(schema, value, path);
    const tag = ["type", "law"].find((key) => kinds.every((own) => own.properties?.[key]?.const !== undefined));
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
        { class: "field", title: own.description ?? "" },
        element("label", { class: "bar" }, element("span", { class: "key" }, tag), select),
      ),
      ...this.fields({ ...own, properties }, rest, path),
    ];
  }
}

Object.assign(SceneForm.prototype, formInputs);
