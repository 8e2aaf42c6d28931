// What is told of a joint, a spring or another line between bodies that is chosen.

import { digits, element } from "./format.js";
import { closeButton, factTable, overTime, rowsNow, shortName } from "./chosen_tables.js";

const LISTED_LINKS = 200;

const nameButton = (name, choose) => element("div", {}, element("button", { class: "row-link", onclick: choose }, name));

// Joints by name, for those who have no mouse.
export function jointList(app) {
  const { joints } = app.about;
  if (joints.length === 0) return [];
  const row = (name, k) => nameButton(name, () => app.choose({ joint: k }));
  return [element("h2", {}, "Joints"), ...joints.slice(0, LISTED_LINKS).map(row)];
}

const KINDS = { joint: "Rod", rope: "Rope", winch: "Winch", windlass: "Windlass", torsion_spring: "Torsion spring" };

// A line or a torsion spring as people call it, such as "Spring 1".
function linkTitle(owner) {
  const at = owner.indexOf(" ");
  return `${KINDS[owner.slice(0, at)] ?? "Spring"} ${owner.slice(at + 1)}`;
}

const bodiesOf = (app, line) => line.ends.map((end) => app.about.bodies[end.body].name).join(" – ");

// Springs, ropes and rods likewise, and torsion springs, which are not drawn.
export function lineList(app) {
  const { lines } = app.renderer.geometry;
  const rows = lines.map((line, k) => nameButton(`${linkTitle(line.owner)}, ${bodiesOf(app, line)}`, () => app.choose({ line: k })));
  app.about.springs.forEach(({ name, between }, k) => {
    if (lines.every((line) => line.owner !== name))
      rows.push(nameButton(`${linkTitle(name)}, ${between.join(" – ")}`, () => app.choose({ spring: k })));
  });
  return rows.length === 0 ? [] : [element("h2", {}, "Springs and lines"), ...rows.slice(0, LISTED_LINKS)];
}

export function chosenJoint(app, joint) {
  const { about } = app;
  const [a, b] = about.jointPlaces[joint].map((end) => about.bodies[end.body].name);
  const owner = `joint ${about.joints[joint]}`;
  return linkPanel(app, about.joints[joint], `${a} – ${b}`, owner, about.sheets.joints);
}

// Springs, ropes and rods: their length is known from where their ends are, also before the run.
export function chosenLine(app, k) {
  const line = app.renderer.geometry.lines[k];
  const sheets = app.about.sheets;
  const [kind] = line.owner.split(" ");
  const columns = { joint: sheets.joints, windlass: sheets.windlasses }[kind] ?? sheets[line.owner];
  const length = [["length", digits(app.lineLength(k), 6), "m"]];
  return linkPanel(app, linkTitle(line.owner), bodiesOf(app, line), line.owner, columns, length);
}

export function chosenSpring(app, k) {
  const { name, between } = app.about.springs[k];
  return linkPanel(app, linkTitle(name), between.join(" – "), name, app.about.sheets[name]);
}

// Numbers now and curves over time; `known` are numbers that need no record.
function linkPanel(app, title, between, owner, columns, known = []) {
  const told = rowsNow(app, owner, columns);
  // A joint of this kind may have no other ones.
  const isTold = ({ name, unit }) => told.length === 0 || told.some((row) => row[0] === shortName(name, unit));
  const names = columns.filter(isTold).map((column) => column.name);
  return [
    element("h2", {}, title),
    element("div", { class: "bar" }, element("span", { class: "small grow" }, between), closeButton(app)),
    factTable([...known.filter(([name]) => told.every((row) => row[0] !== name)), ...told]),
    ...overTime(app, owner, columns, names),
  ];
}
