// Lengths and angles as scenes have them: a number, or a text with a unit.

const UNITS = {
  length: { m: 1, km: 1000, cm: 0.01, mm: 0.001, µm: 1e-6, um: 1e-6, in: 0.0254, ft: 0.3048 },
  angle: { rad: 1, deg: Math.PI / 180, "°": Math.PI / 180 },
};

// The value in SI units and the unit in which it was written; null for expressions and what is none.
export function parseMeasure(value, kind) {
  if (typeof value === "number") return { value, unit: null };
  const found = /^\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(\S*)\s*$/.exec(value ?? "");
  const factor = found && (found[2] === "" ? 1 : UNITS[kind][found[2]]);
  return factor ? { value: Number(found[1]) * factor, unit: found[2] || null } : null;
}

// A value in SI units as it is written in a scene, in the unit of another one.
export function writeMeasure(value, unit, kind, count = 6) {
  const round = (x) => Number(x.toPrecision(count));
  return unit ? `${round(value / UNITS[kind][unit])} ${unit}` : round(value);
}
