// What the schema of scenes says of a value.

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

// Whether one input takes it.
export const isScalar = (schema) => {
  if (schema.const !== undefined || schema.enum) return true;
  if (schema.anyOf) return schema.anyOf.every(isScalar);
  return ["number", "integer", "string", "boolean"].includes(schema.type);
};
