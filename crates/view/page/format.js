// Numbers for people, elements of the page, and colours.

// A number in so many digits, with an exponent where it is very large or small.
export function digits(x, count = 5) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const isPlain = size < 1e5 && size >= 1e-3;
  // Whole digits are never written as powers of ten where the number is not large.
  const text = !isPlain ? x.toExponential(count - 1) : size >= 10 ** count ? x.toFixed(0) : x.toPrecision(count);
  return text
    .replace(/(\.\d*?)0+(e|$)/, "$1$2")
    .replace(/\.(e|$)/, "$1")
    .replaceAll("-", "−")
    .replace("e+", "e");
}

// Texts of numbers on an axis, in `least` digits or as many as tell them apart; where these are too many, as differences
// from a `base`.
export function tickTexts(ticks, least, room = 7) {
  const most = Math.max(...ticks.map(Math.abs));
  const step = Math.abs(ticks[1] - ticks[0]);
  const count = step > 0 ? Math.max(least, Math.ceil(Math.log10(most / step) - 1e-9) + 1) : least;
  if (count <= room) return { texts: ticks.map((v) => digits(v, count)), base: null };
  const base = ticks[ticks.length >> 1];
  return { texts: ticks.map((v) => digits(Math.round((v - base) / step) * step, 3)), base: digits(base, 12) };
}

// Where text of that width about x fits between 0 and `room`.
export const fitted = (x, width, room) => Math.max(width / 2, Math.min(x, room - width / 2 - 1));

// A time with as many decimals as the interval of the records has.
export function clock(time, interval) {
  if (interval > 0 && interval < 1e-8) return digits(time, 5);
  const decimals = interval > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(interval) + 0.3))) : 3;
  return time.toFixed(Math.max(2, decimals));
}

// The unit at the end of a column's name, as people write it.
export function splitColumn(column, unit) {
  const tail = unit ? "_" + unit.replace("/", "_per_").replace(" ", "_") : "";
  const name = tail && column.endsWith(tail) ? column.slice(0, -tail.length) : column;
  return name.replaceAll("_", " ") + (unit ? ` / ${unit}` : "");
}

// What an element does at an event; `renew` may give it something else to do.
function listen(made, event, action) {
  made.actions ??= {};
  made.actions[event] = action;
  made.addEventListener(event, (told) => made.actions[event](told));
}

// Makes the children of an element like those given, and keeps those that are alike already: what is under the mouse or
// has the focus stays.
export function renew(parent, children) {
  children.forEach((fresh, k) => {
    const old = parent.childNodes[k];
    const events = (node) => Object.keys(node.actions ?? {}).join();
    if (!old) parent.append(fresh);
    else if (old.nodeName !== fresh.nodeName || events(old) !== events(fresh)) old.replaceWith(fresh);
    else if (old.nodeType === Node.TEXT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
    } else {
      for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
      for (const { name, value } of fresh.attributes)
        if (old.getAttribute(name) !== value) old.setAttribute(name, value);
      if (fresh.actions) Object.assign(old.actions, fresh.actions);
      renew(old, [...fresh.childNodes]);
    }
  });
  while (parent.childNodes.length > children.length) parent.lastChild.remove();
}

// Makes an element: element("button", {class: "x", onclick: f}, "text", other).
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) listen(made, name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const byId = (id) => document.getElementById(id);

// A colour of the style, as the present scheme has it.
export function styleColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Colours of curves that colour-blind readers tell apart too, each of a contrast above 3 with light and dark.
export const CURVE_COLOURS = ["#4477aa", "#e4576a", "#228833", "#a8860d", "#2f97bd", "#bb4488", "#808080", "#c87400"];

export const rgb = (c) => `rgb(${c[0]}, ${c[1]}, ${c[2]})`;

// Offers a file for download.
export function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
