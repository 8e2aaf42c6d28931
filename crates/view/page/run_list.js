// The list of runs.

import { byId, digits, element } from "./format.js";
import { stepRun } from "./stepping.js";

// The runs as rows: how far they are, what became of them, stop and resume.
export function showRuns(studio) {
  // Cells of the table of verdicts stand there.
  const listed = studio.runs.filter((run) => !(studio.part === "anchor" && run.label?.table));
  const rows = listed.map((run) => {
    const share = run.end > 0 ? (run.reached ?? 0) / run.end : 0;
    const state = run.stopping ? "stopping" : run.waiting ? "waits" : run.alive ? "running" : (run.state ?? "failed");
    return element(
      "tr",
      {},
      element(
        "td",
        {},
        element(
          "button",
          { class: "row-link", disabled: !run.state, onclick: () => studio.open(run.run) },
          studio.runName(run),
        ),
      ),
      element("td", { title: run.words || "" }, state),
      element(
        "td",
        {},
        element("progress", { value: share, max: "1", "aria-label": `How far ${studio.runName(run)} is` }),
      ),
      element("td", { class: "number" }, `${digits(run.reached ?? 0, 4)} s`),
      element(
        "td",
        {},
        run.alive || run.waiting ? "" : (run.verdict?.split("\n")[0] ?? run.health ?? run.words?.split("\n")[0] ?? ""),
      ),
      element(
        "td",
        {},
        run.alive || run.waiting
          ? element("button", { onclick: () => studio.act("stop", run.run), disabled: run.stopping }, "stop")
          : run.state === "stopped" || run.state === "running"
            ? element(
                "span",
                { class: "bar" },
                element("button", { onclick: () => studio.act("resume", run.run) }, "resume"),
                element("button", { onclick: () => stepRun(studio, run), title: "One output" }, "step"),
              )
            : "",
      ),
    );
  });
  byId("runs").replaceChildren(...(rows.length > 0 ? [element("table", {}, element("tbody", {}, ...rows))] : []));
}
