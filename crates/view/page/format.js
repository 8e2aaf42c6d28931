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
    .replace("-", "−")
    .replace("e+", "e");
}

// A time with as many decimals as the interval of the records has.
export function clock(time, interval) {
  const decimals = interval > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(interval) + 0.3))) : 3;
  return time.toFixed(Math.max(2, decimals));
}

// The unit at the end of a column's name, as people write it.
export function splitColumn(column, unit) {
  const tail = unit ? "_" + unit.replace("/", "_per_").replace(" ", "_") : "";
  const name = tail && column.endsWith(tail) ? column.slice(0, -tail.length) : column;
  return name.replaceAll("_", " ") + (unit ? ` / ${unit}` : "");
}

// Makes an element: element("button", {class: "x", onclick: f}, "text", other).
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
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

// Colours of curves that colour-blind readers tell apart too.
export const CURVE_COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888", "#e68a00"];

export const rgb = (c) => `rgb(${c[0]}, ${c[1]}, ${c[2]})`;

// Offers a file for download.
export function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
