// What people do: buttons, keys, and the choice of a curve.

import { byId, element, splitColumn } from "./format.js";
import { SPEEDS } from "./player.js";

const VIEWS = ["front", "back", "left", "right", "top", "bottom"];

export function openDialog(title, content, ...buttons) {
  const dialog = byId("dialog");
  dialog.replaceChildren(
    element("h2", {}, title),
    content,
    element("div", { class: "end" }, element("button", { onclick: () => dialog.close() }, "Close"), ...buttons),
  );
  dialog.showModal();
}

// Asks for a curve.
export function chooseCurve(app, title, done) {
  const owners = app.owners();
  const columns = element("select", { size: "10", "aria-label": "Column" });
  const list = element(
    "select",
    { size: "10", "aria-label": "Whose", onchange: () => fill() },
    ...owners.map((owner, k) => element("option", { value: k, selected: k === 0 }, owner.name)),
  );
  const fill = () =>
    columns.replaceChildren(
      ...owners[Number(list.value)].columns.map((column, k) =>
        element(
          "option",
          { value: column.name, selected: k === 0, title: column.meaning },
          splitColumn(column.name, column.unit),
        ),
      ),
    );
  fill();
  const take = () => {
    byId("dialog").close();
    done(`${owners[Number(list.value)].name}.${columns.value}`);
  };
  columns.addEventListener("dblclick", take);
  openDialog(
    title,
    element("div", { class: "chooser" }, element("label", {}, "of", list), element("label", {}, "column", columns)),
    element("button", { class: "main", onclick: take }, "Take"),
  );
}

export function showHelp() {
  const keys = [
    ["space", "play, pause"],
    [", .", "one frame back, on"],
    ["[ ]", "contact that began before, after"],
    ["Home End", "first, last frame"],
    ["drag", "turn; with shift or the right button move; wheel or pinch zoom"],
    ["arrows + −", "turn, zoom (in the picture)"],
    ["1 … 6", "front, back, left, right, top, bottom"],
    ["0", "as at first"],
    ["O", "parallel projection"],
    ["F", "follow what is chosen"],
    ["Z", "bring what is chosen before the eye"],
    ["H", "hide what is chosen"],
    ["L", "loop"],
    ["T", "light, dark"],
    ["Esc", "choose nothing"],
    ["in the plot", "drag or arrows move the time; shift-drag, wheel, pinch or + − zoom; double click or 0 shows all"],
  ];
  openDialog(
    "Keys",
    element(
      "table",
      {},
      element(
        "tbody",
        {},
        ...keys.map(([key, text]) =>
          element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, text)),
        ),
      ),
    ),
  );
}

export function wireControls(app) {
  const { player, timeline, camera } = app;
  byId("views").replaceChildren(
    element("button", { title: "As at first (0)", onclick: () => app.home() }, "home"),
    ...VIEWS.map((name, k) =>
      element("button", { title: `From the ${name} (${k + 1})`, onclick: () => camera.standard(name) }, name),
    ),
    element(
      "button",
      {
        id: "view-parallel",
        "aria-pressed": "false",
        title: "Parallel projection (O)",
        onclick: () => app.setParallel(!camera.parallel),
      },
      "parallel",
    ),
  );
  const click = (id, f) => byId(id).addEventListener("click", f);
  click("play", () => player.toggle());
  click("first", () => player.seek(player.status.begin));
  click("last", () => player.seek(player.status.last));
  click("back", () => player.step(-1));
  click("next", () => player.step(1));
  click("earlier", () => timeline.jump(-1));
  click("later", () => timeline.jump(1));
  click("loop", () => app.toggleLoop());
  click("live", () => player.follow(!player.following));
  click("theme", () => app.toggleTheme());
  click("help", () => showHelp());
  click("add-curve", () => chooseCurve(app, "Add a curve", (name) => app.toggleCurve(name)));
  click("unzoom", () => app.plot.unzoom());
  click("save-csv", () => app.plot.saveCsv());
  click("save-png", () => app.plot.savePng());
  byId("over").addEventListener("change", (event) => {
    const { value } = event.target;
    if (value === "…") chooseCurve(app, "Over which column", (name) => app.setCurves(app.plot.curves, name));
    else app.setCurves(app.plot.curves, value || null);
  });
  byId("speed").replaceChildren(
    ...SPEEDS.map((speed) => element("option", { value: speed, selected: speed === player.speed }, `${speed}×`)),
  );
  byId("speed").addEventListener("change", (event) => (player.speed = Number(event.target.value)));
  window.addEventListener("resize", () => app.changed());
  new ResizeObserver(() => app.changed()).observe(byId("stage"));
  window.addEventListener("keydown", (event) => pressKey(app, event));
  app.showState();
}

export function pressKey(app, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("dialog").open) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  const { player, camera } = app;
  const body = app.choice?.body;
  const keys = {
    " ": () => player.toggle(),
    ",": () => player.step(-1),
    ".": () => player.step(1),
    "[": () => app.timeline.jump(-1),
    "]": () => app.timeline.jump(1),
    Home: () => player.seek(player.status.begin),
    End: () => player.seek(player.status.last),
    0: () => app.home(),
    o: () => app.setParallel(!camera.parallel),
    t: () => app.toggleTheme(),
    l: () => app.toggleLoop(),
    f: () => body !== undefined && app.setFollow(app.follow === body ? null : body),
    z: () => body !== undefined && app.lookAt(body),
    h: () => body !== undefined && app.hide(body),
    Escape: () => app.choose(null),
    "?": () => showHelp(),
  };
  VIEWS.forEach((name, k) => (keys[k + 1] = () => camera.standard(name)));
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act || (event.key === " " && event.target.closest("button"))) return;
  event.preventDefault();
  act();
}
