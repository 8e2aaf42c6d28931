// A scene as a form, made from the schema: units, choices and descriptions come from there.

import { element } from "./format.js";

// Follows references; what stands beside one counts more.
export function resolve(schema, root) {
  let own = schema;
  for (let k = 0; own.$ref && k < 20; k++) {
    const { $ref, ...beside } = own;
    const name = $ref.split("/").pop();
    own = { ...root.$defs[name], ...beside };
  }
  return own;
}

// A number where the text is one, and the text where not.
export function parseCell(text) {
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

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

const isScalar = (schema) => {
  if (schema.const !== undefined || schema.enum) return true;
  if (schema.anyOf) return schema.anyOf.every(isScalar);
  return ["number", "integer", "string", "boolean"].includes(schema.type);
};

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
    return [...this.complaints.keys()].some((key) => key.startsWith(`${name}.`) || key.startsWith(`${name}[`));
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

  addKey(known, missing, path) {
    return element(
      "div",
      { class: "field add" },
      element(
        "select",
        {
          "aria-label": `Add a key${path.length ? ` to ${this.key(path)}` : ""}`,
          onchange: (event) => {
            const key = event.target.value;
            const own = resolve(known[key], this.schema);
            const isList =
              own.type === "array" && !isScalar(resolve(own.items ?? {}, this.schema)) && own.maxItems === undefined;
            if (isList)
              this.edit({ path: [...path, key], action: "append", value: this.blank(resolve(own.items, this.schema)) });
            else this.edit({ path: [...path, key], action: "set", value: this.blank(own) });
            this.open.add(this.key([...path, key]));
          },
        },
        element("option", { value: "" }, "+ key"),
        ...missing.map((key) =>
          element("option", { value: key, title: resolve(known[key], this.schema).description }, key),
        ),
      ),
    );
  }

  addNamed(schema, path) {
    const name = element("input", {
      type: "text",
      placeholder: "name",
      "aria-label": `Name of a new entry of ${this.key(path)}`,
    });
    const add = () =>
      name.value &&
      this.edit({ path: [...path, name.value], action: "set", value: this.blank(resolve(schema, this.schema)) });
    return element("div", { class: "field add bar" }, name, element("button", { onclick: add }, "+"));
  }

  // A value to begin with.
  blank(schema, depth = 0) {
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.anyOf) return this.blank(resolve(schema.anyOf[0], this.schema), depth);
    if (schema.type === "boolean") return true;
    if (schema.type === "string") return "";
    if (schema.type === "array") {
      const item = this.blank(resolve(schema.items ?? {}, this.schema), depth + 1);
      return Array.from({ length: schema.minItems ?? 0 }, () => item);
    }
    if (schema.type === "object") {
      const made = {};
      if (depth < 4)
        for (const key of schema.required ?? [])
          made[key] = this.blank(resolve(schema.properties[key], this.schema), depth + 1);
      return made;
    }
    return 0;
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

  // An input for a scalar or a short list of scalars; null for what is larger.
  input(schema, value, path) {
    const name = this.key(path);
    const set = (at, next) => this.edit({ path: at, action: "set", value: next });
    if (typeof value === "boolean") {
      return element("input", {
        type: "checkbox",
        checked: value,
        "aria-label": name,
        onchange: (event) => set(path, event.target.checked),
      });
    }
    const choices =
      schema.enum ??
      (schema.anyOf?.every((own) => own.const !== undefined) ? schema.anyOf.map((own) => own.const) : null);
    if (choices) {
      return element(
        "select",
        { "aria-label": name, onchange: (event) => set(path, event.target.value) },
        ...choices.map((choice) => element("option", { value: choice, selected: choice === value }, String(choice))),
      );
    }
    if (typeof value === "string" || typeof value === "number") {
      return element("input", {
        type: "text",
        value: String(value),
        "aria-label": name,
        title: schema.description ?? "",
        spellcheck: "false",
        onchange: (event) => set(path, schema.type === "string" ? event.target.value : parseCell(event.target.value)),
      });
    }
    if (
      Array.isArray(value) &&
      value.length <= 4 &&
      value.every((cell) => typeof cell === "number" || typeof cell === "string")
    ) {
      return element(
        "span",
        { class: "cells" },
        ...value.map((cell, k) =>
          element("input", {
            type: "text",
            value: String(cell),
            "aria-label": `${name}[${k}]`,
            spellcheck: "false",
            onchange: (event) =>
              set(
                [...path, k],
                typeof cell === "string" && !/^[-+=.\d]/.test(event.target.value)
                  ? event.target.value
                  : parseCell(event.target.value),
              ),
          }),
        ),
      );
    }
    return null;
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
        ontoggle: (event) => (event.target.open ? this.open.add(name) : this.open.delete(name)),
      });
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
      details.append(...this.table(item, own, at));
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
