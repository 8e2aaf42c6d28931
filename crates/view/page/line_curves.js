// Lengths of the lines between bodies, springs, ropes and rods, as curves. No sheet has them; with the recorded poses (x, q)
// of both bodies and the points r of the ends in their frames they are |x_b + R_b r_b − x_a − R_a r_a|.

import { add, norm, rotate, subtract } from "./algebra.js";

const POSE = ["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"];
const LENGTH = { name: "length_m", unit: "m", meaning: "How far its ends are apart." };

// The name of a line among curves.
export function lineOwner(about, geometry, k) {
  const line = geometry.lines[k];
  const [a, b] = line.ends.map((end) => about.bodies[end.body].name);
  return `${line.coiled ? "spring" : "line"} ${k + 1} (${a} – ${b})`;
}

// Has a source answer for the lengths of lines too, and lists their column.
export function addLineCurves(source, about, geometry) {
  if (geometry.lines.length === 0) return;
  about.sheets.lines = [LENGTH];
  const columnsOf = ({ ends }) => ends.flatMap((end) => POSE.map((name) => `${about.bodies[end.body].name}.${name}`));
  const known = new Map(
    geometry.lines.map((line, k) => [`${lineOwner(about, geometry, k)}.${LENGTH.name}`, { ...line, columns: columnsOf(line) }]),
  );
  const [has, series] = [source.has.bind(source), source.series.bind(source)];
  source.has = (name) => (known.has(name) ? known.get(name).columns.every(has) : has(name));
  source.series = async (names, ...span) => {
    const needed = [...new Set(names.flatMap((name) => known.get(name)?.columns ?? [name]))];
    const { times, values } = await series(needed, ...span);
    const column = new Map(needed.map((name, k) => [name, values[k]]));
    const lengthsOf = (line) => Float64Array.from(times, (_, k) => lengthAt(line, column, k));
    return { times, values: names.map((name) => (known.has(name) ? lengthsOf(known.get(name)) : column.get(name))) };
  };
}

function lengthAt({ ends, columns }, column, k) {
  const numbers = columns.map((name) => column.get(name)[k]);
  const place = (end, at) => add(numbers.slice(at, at + 3), rotate(numbers.slice(at + 3, at + 7), end.point));
  return norm(subtract(place(ends[1], 7), place(ends[0], 0)));
}
