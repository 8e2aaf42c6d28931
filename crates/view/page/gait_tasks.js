// What the gait panel has the command do, and what that leaves; methods of GaitPanel.

import { call, textOf } from "./api.js";
import { element } from "./format.js";
import { parseStorage, stem } from "./storage.js";

// Between two looks at what goes on, in ms.
const PAUSE = 500;

export const gaitTasks = {
  taskRow(task) {
    const state = task.alive ? "goes on" : task.code === 0 ? "done" : "failed";
    return element(
      "div",
      { class: "task" },
      element(
        "div",
        { class: "bar" },
        element("span", { class: "grow" }, `${task.tool.replace("gait ", "")} ${task.input}`),
        element("span", { class: state === "failed" ? "bad" : "small" }, state),
        task.alive
          ? element("button", { onclick: () => this.stop(task) }, "stop")
          : task.code === 0
            ? element("button", { onclick: () => this.tell(task) }, "show")
            : null,
      ),
      task.words && !task.alive ? element("p", { class: "note" }, task.words) : null,
    );
  },

  async start(tool) {
    const known = new Set(tool.options.map((option) => option.name));
    const options = Object.fromEntries(
      Object.entries(this.values).filter(([name, value]) => known.has(name) && value !== ""),
    );
    try {
      const { task } = await this.studio.ask("api/task", { tool: tool.name, input: this.trial, options });
      await this.follow(task);
    } catch (error) {
      this.studio.say(error.message, true);
    }
  },

  async listTasks() {
    this.tasks = (await call("api/tasks")).filter((task) => task.tool.startsWith("gait "));
  },

  async follow(number) {
    for (;;) {
      await this.listTasks();
      this.show();
      const task = this.tasks.find((own) => own.task === number);
      if (!task?.alive) {
        if (task?.code === 0) await this.tell(task);
        // A fitted foot can be chosen from now on.
        this.tools = (await this.studio.ask("api/tools")).filter((tool) => tool.name.startsWith("gait "));
        return this.show();
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  },

  async stop(task) {
    await this.studio.ask("api/end", { task: task.task });
  },

  // What a task told, and the forces that it left.
  async tell(task) {
    const told = await call(`api/told?task=${task.task}`);
    const parts = told.lines ? told.lines.map((text) => ({ text })) : (told.parts ?? []);
    const left = (name) => `api/left?task=${task.task}&name=${encodeURIComponent(name)}`;
    const pictures = task.files.filter((name) => /^foot-\d+\.png$/.test(name));
    this.report.replaceChildren(
      element("h2", {}, `${task.tool} ${task.input}`),
      ...pictures.map((name) => element("img", { src: left(name), alt: `The fitted foot, ${name}`, class: "foot" })),
      ...(task.files.includes("foot.toml")
        ? [
            element(
              "button",
              { id: "open-foot", onclick: () => this.openFoot(task, left("foot.toml")) },
              "The foot as a scene",
            ),
          ]
        : []),
      ...parts.map((part) => this.part(part)).filter(Boolean),
    );
    if (told.forces) {
      const name = told.forces.split(/[\\/]/).pop();
      if (this.names.includes(name)) await this.measured(name);
    }
    for (const name of task.files.filter((own) => /^forces-.*\.mot$/.test(own))) {
      const storage = parseStorage(await textOf(left(name)));
      const word = name.replace("forces-", "").replace(".mot", "").replace("-", " ");
      this.sources = [...this.sources.filter((own) => own.name !== word), { name: word, storage }];
    }
    this.draw();
  },

  part({ text, heading, columns, rows }) {
    if (text) return element("p", {}, text);
    if (!columns || !rows) return null;
    return element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
      heading ? element("h2", {}, heading) : null,
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))),
        element(
          "tbody",
          {},
          ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, String(cell))))),
        ),
      ),
    );
  },

  async openFoot(task, path) {
    const name = `foot-${stem(task.input)}`.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 64);
    await this.studio.openText({ name, text: await textOf(path), example: null });
  },
};
