// The groups of the anchor panel: hull, anchor, links, sea; methods of AnchorPanel.

import { element } from "./format.js";
import { parseMeasure, writeMeasure } from "./measure.js";
import { resolve } from "./form_schema.js";
import { at, HULL, MORE_OF_PIPE, MORE_OF_PLATING, PITCH, SEA, valueAt } from "./anchor_fields.js";

export const anchorGroups = {
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
  },

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
  },

  chooseMesh(edits) {
    if (this.meshes.length > 0) return this.studio.edit(edits);
    this.studio.say("there is no mesh file in the studio's folder: STL, OBJ, PLY, OFF, 3MF, glTF or COLLADA", true);
    return this.show();
  },

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
  },

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
      // Of a manoeuvre with mistakes it is not known.
      value: count > 0 ? String(count) : "",
      disabled: count === 0,
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
  },

  // More links hang lower, by their pitch each.
  setCount(old, wanted) {
    const { depth = 3, diameter } = this.tree.manoeuvre;
    const [from, bar] = [parseMeasure(depth, "length"), parseMeasure(diameter, "length")];
    if (!from || !bar || !(wanted > 0))
      return this.studio.say("the number of links follows from depth and diameter, which are expressions here", true);
    const next = from.value + (wanted - old) * PITCH * bar.value;
    return this.set(["manoeuvre", "depth"], writeMeasure(next, from.unit ?? "m", "length"));
  },

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
  },
};
