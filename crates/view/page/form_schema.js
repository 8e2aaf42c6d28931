// What the schema of scenes says of a value.

// The SI units of its quantities.
const UNITS = {
  Acceleration: "m/s²",
  Angle: "rad",
  AngularVelocity: "rad/s",
  CircularFrequency: "rad/s",
  Damping: "N s/m",
  Density: "kg/m³",
  Force: "N",
  Inertia: "kg m²",
  Length: "m",
  Mass: "kg",
  Pressure: "Pa",
  Time: "s",
  Torque: "N m",
  TurningDamping: "N m s/rad",
  TurningStiffness: "N m/rad",
  Velocity: "m/s",
};

// Follows references; what stands beside one counts more. The name of the last one stays.
export function resolve(schema, root) {
  let own = schema;
  for (let k = 0; own.$ref && k < 20; k++) {
    const { $ref, ...beside } = own;
    const kind = $ref.split("/").pop();
    own = { kind, ...root.$defs[kind], ...beside };
  }
  return own;
}

// The alternatives of a value, those of alternatives included.
export function variants(schema, root) {
  const own = resolve(schema, root);
  return own.anyOf ? own.anyOf.flatMap((one) => variants(one, root)) : [own];
}

// The tables among them, and the key whose value says which one it is.
export function tables(schema, root) {
  const kinds = variants(schema, root).filter((own) => own.type === "object");
  const tag = ["type", "law"].find((key) => kinds.every((own) => own.properties?.[key]?.const !== undefined));
  return { kinds, tag: kinds.length > 0 ? tag : undefined };
}

// The SI unit of a quantity or of a list of them.
export function unitOf(schema, root) {
  const own = resolve(schema, root);
  return UNITS[own.kind] ?? (own.items ? UNITS[resolve(own.items, root).kind] : undefined);
}

// What to write for a value: what it is, how it is written, and its range.
export function hintOf(schema, root) {
  const own = resolve(schema, root);
  const item = own.items ? resolve(own.items, root) : null;
  const written = (item?.kind ? item : own).kind;
  const { minimum, maximum } = own;
  const range = [minimum === undefined ? null : `at least ${minimum}`, maximum === undefined ? null : `at most ${maximum}`];
  const parts = [own.description, written ? root.$defs[written].description : null, range.filter(Boolean).join(", ")];
  return [...new Set(parts.filter(Boolean))].join(" ");
}

// A number where the text is one, and the text where not.
export function parseCell(text) {
  const trimmed = text.trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

// Whether one input takes it.
export const isScalar = (schema) => {
  if (schema.const !== undefined || schema.enum) return true;
  if (schema.anyOf) return schema.anyOf.every(isScalar);
  return ["number", "integer", "string", "boolean"].includes(schema.type);
};
