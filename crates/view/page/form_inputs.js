// The inputs of the form of a scene: for numbers, words, choices and short lists, and those that add keys; methods of SceneForm.

import { element } from "./format.js";
import { isScalar, parseCell, resolve, tables, unitOf } from "./form_schema.js";

export const formInputs = {
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
  },

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
  },

  // A value to begin with.
  blank(schema, depth = 0) {
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const { kinds, tag } = tables(schema, this.schema);
    if (schema.anyOf && tag) return this.blank(kinds[0], depth);
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
  },

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
    if (typeof value === "string" && value.includes("\n")) {
      const lines = Math.min(6, value.trimEnd().split("\n").length);
      const change = ({ target }) => set(path, target.value);
      return element("textarea", { rows: lines, "aria-label": name, spellcheck: "false", onchange: change }, value);
    }
    const unit = element("span", { class: "unit", "aria-hidden": "true" }, unitOf(schema, this.schema) ?? "");
    if (typeof value === "string" || typeof value === "number") {
      const input = element("input", {
        type: "text",
        value: String(value),
        "aria-label": name,
        title: schema.description ?? "",
        spellcheck: "false",
        list: this.listFor(path),
        onchange: (event) => set(path, schema.type === "string" ? event.target.value : parseCell(event.target.value)),
      });
      return typeof value === "number" && unit.textContent ? element("span", { class: "cells" }, input, unit) : input;
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
            list: this.listFor(path),
            onchange: (event) =>
              set(
                [...path, k],
                typeof cell === "string" && !/^[-+=.\d]/.test(event.target.value)
                  ? event.target.value
                  : parseCell(event.target.value),
              ),
          }),
        ),
        unit.textContent && value.every((cell) => typeof cell === "number") ? unit : null,
      );
    }
    return null;
  },

  // Names that the scene has, for fields that take one.
  knownNames() {
    const named = (list) => (Array.isArray(list) ? list.map((own) => own.name).filter(Boolean) : []);
    const names = { materials: Object.keys(this.tree.materials ?? {}), bodies: named(this.tree.bodies) };
    return Object.entries(names).map(([kind, all]) =>
      element("datalist", { id: `known-${kind}` }, ...all.map((name) => element("option", { value: name }))),
    );
  },

  listFor(path) {
    const key = path.filter((step) => typeof step === "string").at(-1);
    if (key === "material" || key === "materials") return "known-materials";
    return key === "body" || key === "bodies" ? "known-bodies" : null;
  },
};
