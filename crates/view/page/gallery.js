// The gallery: scenes with their pictures.

import { call } from "./api.js";
import { byId, digits, element } from "./format.js";

// Shows the scenes of the folder and those that are built in; one that is clicked is opened.
export async function showGallery(studio) {
  const dialog = byId("dialog");
  dialog.className = "wide";
  const cards = element("div", { class: "gallery" }, "…");
  const own = element("div", { class: "gallery" });
  dialog.replaceChildren(
    element("h2", {}, "Scenes of this folder"),
    own,
    element("h2", {}, "Built-in scenes"),
    cards,
    element("div", { class: "end" }, element("button", { onclick: () => dialog.close() }, "Close")),
  );
  dialog.showModal();
  const names = await call("api/scenes");
  own.replaceChildren(
    ...(names.length === 0 ? [element("p", { class: "note" }, "None yet; what is saved appears here.")] : []),
    ...names.map((name) =>
      element(
        "button",
        { class: "card", "data-scene": name, onclick: () => studio.takeOwn(name) },
        element("img", { src: `api/picture?scene=${encodeURIComponent(name)}`, alt: "", loading: "lazy" }),
        element("span", {}, name),
      ),
    ),
  );
  const scenes = await call("api/gallery");
  cards.replaceChildren(
    ...scenes.map((scene) =>
      element(
        "button",
        { class: "card", title: scene.description, "data-name": scene.name, onclick: () => studio.take(scene.name) },
        element("img", { src: `api/picture?example=${encodeURIComponent(scene.name)}`, alt: "", loading: "lazy" }),
        element("span", {}, scene.title),
        element("span", { class: "small" }, `${scene.name}, ${digits(scene.duration, 3)} s`),
      ),
    ),
  );
}
