// The text of a scene: line numbers, marks under what is wrong, and the list of complaints.

import { byId, element } from "./format.js";

// Line numbers, and marks under what is wrong.
export function paintText(complaints) {
  const lines = byId("text").value.split("\n");
  const bad = new Map(complaints.map((complaint) => [complaint.line, complaint]));
  byId("gutter").replaceChildren(
    ...lines.map((_, k) =>
      element("span", bad.has(k + 1) ? { class: "bad", title: bad.get(k + 1).message } : {}, `${k + 1}\n`),
    ),
  );
  const marks = [];
  lines.forEach((line, k) => {
    const complaint = bad.get(k + 1);
    if (complaint) {
      const letters = [...line];
      const [from, to] = [complaint.column - 1, complaint.column - 1 + Math.max(1, complaint.length)];
      marks.push(
        letters.slice(0, from).join(""),
        element("u", {}, letters.slice(from, to).join("") || " "),
        letters.slice(to).join(""),
        "\n",
      );
    } else marks.push(`${line}\n`);
  });
  byId("marks").replaceChildren(...marks);
  scrollMarks();
}

export function scrollMarks() {
  const text = byId("text");
  byId("gutter").scrollTop = text.scrollTop;
  byId("marks").scrollTop = text.scrollTop;
  byId("marks").scrollLeft = text.scrollLeft;
}

// `goTo` takes the line and the column of a complaint.
export function listComplaints(complaints, remarks, goTo) {
  const wrong = complaints.map((complaint) =>
    element(
      "li",
      {},
      element(
        "button",
        { onclick: () => goTo(complaint.line, complaint.column) },
        `${complaint.file ? `${complaint.file} ` : ""}${complaint.line}:${complaint.column}  ${complaint.key ? `${complaint.key}: ` : ""}${complaint.message}${complaint.help ? ` (${complaint.help})` : ""}`,
      ),
    ),
  );
  const told = remarks.map((remark) => element("li", { class: "remark" }, remark));
  byId("complaints").replaceChildren(...wrong, ...told);
}

// Puts the cursor to a place of the text.
export function placeCursor(line, column) {
  const area = byId("text");
  const lines = area.value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, own) => sum + own.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(at, at);
  area.scrollTop = Math.max(0, (line - 6) * 19);
}
