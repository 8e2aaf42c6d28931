// Files of gait laboratories: markers (.trc) and columns over time (.mot, .sto), as far as a page shows them. What the
// engine makes of them it says itself.

const UNIT_LENGTHS = { m: 1, mm: 0.001, cm: 0.01 };

// Times in s, and per marker its name and its path in m; what is missing is NaN.
export function parseMarkers(text) {
  const lines = text.split(/\r?\n/);
  const keys = (lines[1] ?? "").split("\t");
  const values = (lines[2] ?? "").split("\t");
  const unit = UNIT_LENGTHS[(values[keys.indexOf("Units")] ?? "").trim()];
  const at = lines.findIndex((line) => line.startsWith("Frame#"));
  if (!unit || at < 0) throw new Error("these are no markers in mm, cm or m: there is no line Frame#, or no unit");
  const names = lines[at]
    .split("\t")
    .slice(2)
    .map((name) => name.trim());
  const markers = [];
  for (let k = 0; k < names.length; k++) if (names[k]) markers.push({ name: names[k], column: 2 + k, points: [] });
  const times = [];
  for (const line of lines.slice(at + 2)) {
    const cells = line.split("\t");
    if (cells.length < 5 || cells[0].trim() === "" || !Number.isFinite(Number(cells[0]))) continue;
    times.push(Number(cells[1]));
    for (const { column, points } of markers)
      points.push([0, 1, 2].map((i) => (cells[column + i]?.trim() ? Number(cells[column + i]) * unit : NaN)));
  }
  return { times, markers };
}

// Columns by name; the first is the time.
export function parseStorage(text) {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.trim().toLowerCase() === "endheader");
  if (at < 0) throw new Error("there is no line endheader");
  const cut = (line) => line.trim().split(/\s+/);
  const names = cut(lines[at + 1] ?? "");
  const rows = lines
    .slice(at + 2)
    .filter((line) => line.trim())
    .map((line) => cut(line).map(Number));
  const columns = new Map(names.map((name, k) => [name, rows.map((row) => row[k])]));
  return { times: columns.get(names[0]) ?? [], columns };
}

// The forces of a file, one entry per plate or foot: names of columns begin alike, as OpenSim's external loads do.
export function loadsOf({ columns }) {
  const loads = [];
  for (const name of columns.keys()) {
    const found = /^(.*)force_vx$/.exec(name) ?? /^(.*)_vx$/.exec(name);
    if (found && !/sd_?$/.test(found[1])) loads.push(name.slice(0, -2));
  }
  return loads;
}

// A column of a load: v force, p centre of pressure, torque; undefined where there is none.
export function loadColumn({ columns }, load, quantity) {
  if (!quantity.startsWith("torque")) return columns.get(`${load}${quantity}`);
  return columns.get(`${load.replace(/force_?$/, "")}${quantity}`);
}

// A name of a file without its ending.
export const stem = (name) => name.replace(/\.[^.]*$/, "");
