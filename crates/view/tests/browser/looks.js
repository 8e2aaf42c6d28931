// What is wrong with how a page looks, as far as its elements tell: text and controls beyond the edge, cut off, one over
// the other, too faint to read (WCAG 2.2, 1.4.3), without a name, too small to touch (2.5.8). An array of sentences.
(() => {
  const told = [];
  const isMeant = (element) => {
    const style = getComputedStyle(element);
    // What is folded away has no style of its own.
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    if (style.clipPath !== "none") return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && !element.closest("[aria-hidden=true], [inert], option, script, style");
  };
  const name = (element) => {
    const own = element.id ? `#${element.id}` : `.${element.className}`;
    return `${element.tagName.toLowerCase()}${own} "${(element.textContent ?? "").trim().slice(0, 30)}"`;
  };
  const parse = (text) => {
    const numbers = (text.match(/[\d.]+(e-?\d+)?/g) ?? []).map(Number);
    if (text.startsWith("color(srgb")) return [...numbers.slice(0, 3).map((x) => 255 * x), numbers[3] ?? 1];
    return [...numbers.slice(0, 3), numbers[3] ?? 1];
  };
  const over = (a, b) => a.slice(0, 3).map((x, k) => x * a[3] + b[k] * (1 - a[3]));
  // The colour behind an element, with all that shines through.
  const behind = (element) => {
    const layers = [];
    for (let own = element; own; own = own.parentElement) {
      const colour = parse(getComputedStyle(own).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const light = (c) => {
    const [r, g, b] = c.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const scrolls = (element, axis) => {
    for (let own = element; own && own !== document.body; own = own.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(own)[axis])) return true;
    return false;
  };
  // A telephone shows a page that is too wide as a whole, smaller: what it was laid out for is asked.
  const room = document.documentElement.clientWidth;
  const isNarrow = room < 600;
  if (document.documentElement.scrollWidth > room + 1)
    told.push(`the page is ${document.documentElement.scrollWidth} wide in ${room}`);
  const all = [...document.querySelectorAll("body *")].filter(isMeant);
  const controls = all.filter((own) => own.matches("button, input, select, textarea, summary, a[href], [role=slider]"));
  for (const element of all) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    const isField = element.matches("input:not([type=range], [type=checkbox]), textarea, select");
    if (!text && !isField && !controls.includes(element)) continue;
    if ((box.right > room + 1 || box.left < -1) && !scrolls(element, "overflowX"))
      told.push(`${name(element)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)} of ${room}`);
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && style.overflowX !== "visible";
    if (text && isCut && style.textOverflow !== "ellipsis" && !["auto", "scroll"].includes(style.overflowX))
      told.push(`${name(element)} is cut off: ${element.scrollWidth} in ${element.clientWidth}`);
    if (element.tagName === "BUTTON" && element.scrollWidth > element.clientWidth + 1 && style.textOverflow !== "ellipsis")
      told.push(`${name(element)} is wider than its button: ${element.scrollWidth} in ${element.clientWidth}`);
    const isOff = element.matches(":disabled") || element.closest("[aria-disabled=true]");
    if ((text || isField) && !isOff && style.fontSize !== "0px" && parse(style.color)[3] > 0) {
      const ground = behind(element);
      const ratio = contrast(over(parse(style.color), ground), ground);
      const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) told.push(`${name(element)} is faint: ${ratio.toFixed(2)}`);
    }
  }
  for (const element of controls) {
    const named =
      element.textContent.trim() || element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") ||
      element.labels?.length > 0 || element.title;
    if (!named) told.push(`${name(element)} ${element.outerHTML.slice(0, 80)} has no name`);
    const { width, height } = element.getBoundingClientRect();
    const isInLabel = element.closest("label");
    if (isNarrow && !isInLabel && (width < 24 || height < 24))
      told.push(`${name(element)} is small to touch: ${Math.round(width)} × ${Math.round(height)}`);
  }
  const isSeen = (box) => box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < room;
  const seen = controls.filter((own) => isSeen(own.getBoundingClientRect()) && own.type !== "range");
  for (const element of seen) {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x > room || y > innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    const isBelow = top && !element.contains(top) && !top.contains(element) && !top.closest("label")?.contains(element);
    // What has been scrolled away is behind other things by right.
    if (isBelow && !document.querySelector("dialog[open]") && !scrolls(element, "overflowY") && !scrolls(element, "overflowX") && !top.closest("header"))
      told.push(`${name(element)} lies under ${name(top)}`);
  }
  return told;
})();
