// What people do in a plot: drag, zoom, keys, two fingers; methods of Plot.

export const plotInput = {
  listen() {
    let start = null;
    const place = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      if (!this.data) return;
      this.canvas.setPointerCapture(event.pointerId);
      start = { at: place(event), zooming: event.shiftKey || event.button === 2 };
      if (!start.zooming) this.seekAt(start.at[0], start.at[1]);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!start) return;
      if (start.zooming) {
        this.band = [start.at, place(event)];
        this.drawn = "";
      } else this.seekAt(...place(event));
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (start?.zooming && this.band) this.zoomTo(start.at, place(event));
      start = null;
      this.band = null;
      this.drawn = "";
    });
    this.canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    this.canvas.addEventListener("dblclick", () => this.unzoom());
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.listenToPinches(place);
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        if (!this.data) return;
        event.preventDefault();
        this.zoomAbout(place(event)[0], Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.002))));
      },
      { passive: false },
    );
  },

  // Two fingers widen or narrow what is shown.
  listenToPinches(place) {
    const fingers = new Map();
    this.canvas.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, place(event)));
    for (const kind of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
    this.canvas.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId) || fingers.size !== 2 || !this.data) return;
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const before = Math.abs(fingers.get(event.pointerId)[0] - other[0]);
      const now = place(event);
      const after = Math.abs(now[0] - other[0]);
      if (before > 4 && after > 4) this.zoomAbout((now[0] + other[0]) / 2, before / after);
      fingers.set(event.pointerId, now);
    });
  },

  // Shows so many times as much along the axis, with what is at a place of the screen kept there.
  zoomAbout(px, factor) {
    const { left, width } = this.box;
    const share = Math.max(0, Math.min(1, (px - left) / width));
    const limits = this.limits();
    const x = limits.x[0] + share * (limits.x[1] - limits.x[0]);
    this.range = { x: limits.x.map((v) => x + (v - x) * factor), y: limits.y };
    clearTimeout(this.reading);
    this.reading = setTimeout(() => this.load(), 150);
    this.drawn = "";
  },

  key(event) {
    if (!this.data || event.ctrlKey || event.metaKey || event.altKey) return;
    const { left, width } = this.box;
    const middle = left + width / 2;
    const keys = {
      ArrowLeft: () => this.player.step(-1),
      ArrowRight: () => this.player.step(1),
      "+": () => this.zoomAbout(middle, 0.7),
      "=": () => this.zoomAbout(middle, 0.7),
      "-": () => this.zoomAbout(middle, 1 / 0.7),
      0: () => this.unzoom(),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
    event.stopPropagation();
  },

  seekAt(px, py) {
    const limits = this.limits();
    const { left, width } = this.box;
    if (this.over === null) {
      this.player.seek(limits.x[0] + ((px - left) / width) * (limits.x[1] - limits.x[0]));
      return;
    }
    const [toX, toY] = this.toScreen(limits);
    let best = [Infinity, 0];
    this.data.y.forEach((values) =>
      values.forEach((v, k) => {
        const d = Math.hypot(toX(this.data.x[k]) - px, toY(v) - py);
        if (d < best[0]) best = [d, k];
      }),
    );
    if (best[0] < Infinity) this.player.seek(this.data.times[best[1]]);
  },

  zoomTo(a, b) {
    const limits = this.limits();
    const { left, top, width, height } = this.box;
    const x = [a[0], b[0]]
      .sort((p, q) => p - q)
      .map((v) => limits.x[0] + ((v - left) / width) * (limits.x[1] - limits.x[0]));
    const y = [a[1], b[1]]
      .sort((p, q) => q - p)
      .map((v) => limits.y[1] - ((v - top) / height) * (limits.y[1] - limits.y[0]));
    if (!(Math.abs(a[0] - b[0]) > 5 && Math.abs(a[1] - b[1]) > 5)) return;
    this.zoomStack.push(this.range);
    this.range = { x, y };
    this.load();
  },

  unzoom() {
    this.range = this.zoomStack.pop() ?? null;
    this.load();
  },
};
