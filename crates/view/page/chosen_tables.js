// Pieces of the panel of what is chosen: tables of numbers, lists of curves.

import { digits, element, splitColumn } from "./format.js";
import { norm } from "./algebra.js";

// A table of names and values.
export function factTable(rows) {
  return element(
    "table",
    {},
    element(
      "tbody",
      {},
      ...rows.map(([name, value, unit]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, name),
          element("td", { class: "number" }, value),
          element("td", {}, unit ?? ""),
        ),
      ),
    ),
  );
}

export const closeButton = (app) => element("button", { class: "quiet", onclick: () => app.choose(null) }, "close");

// The curves of what is chosen, of a run that has some; `known` are all columns that it may have.
export function overTime(app, owner, known, columns) {
  if (app.player.status.frames < 2) return [];
  return [element("h2", {}, "Over time"), plotButtons(app, owner, known, columns)];
}

// Columns that are plotted by a click.
function plotButtons(app, owner, known, columns) {
  const there = columns.filter((name) => app.source.has(`${owner}.${name}`));
  const row = (name) => {
    const column = known.find((own) => own.name === name);
    const isPlotted = app.plot.curves.includes(`${owner}.${name}`);
    const button = element(
      "button",
      {
        class: "row-link",
        "aria-pressed": String(isPlotted),
        title: `${column.meaning} Click to plot it or to take it away.`,
        onclick: () => app.toggleCurve(`${owner}.${name}`),
      },
      splitColumn(column.name, column.unit),
    );
    return element("tr", {}, element("td", {}, button));
  };
  return element("table", {}, element("tbody", {}, ...there.map(row)));
}

// Components of a unit vector: what is less than rounding shows is none.
export const directionText = (v) => v.map((x) => digits(Number(x.toFixed(4)), 4)).join(", ");
// Of other vectors what rounding leaves beside the largest component is none.
export function vectorText(v) {
  const least = 1e-12 * norm(v);
  return v.map((x) => digits(Math.abs(x) < least ? 0 : x, 4)).join(", ");
}

// A column as people call it, without its unit.
export const shortName = (column, unit) => splitColumn(column, unit).split(" / ")[0];

// The numbers that a curve's owner has now, as far as the run has recorded them.
export function rowsNow(app, owner, columns) {
  const known = columns.filter((column) => app.source.has(`${owner}.${column.name}`));
  if (app.player.status.frames < 2 || known.length === 0) return [];
  const values = app.valuesNow(known.map((column) => `${owner}.${column.name}`));
  return known
    .map((column, k) => [shortName(column.name, column.unit), digits(values[k], 5), column.unit])
    .filter((_, k) => Number.isFinite(values[k]));
}
