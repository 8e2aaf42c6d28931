// Lists of tabs: one of each has the focus, and arrow keys go from one to the next.

export function wireTabs(list) {
  const tabs = () => [...list.querySelectorAll("[role=tab]")].filter((tab) => !tab.hidden);
  const settle = () => {
    const all = tabs();
    const chosen = all.find((tab) => tab.getAttribute("aria-selected") === "true") ?? all[0];
    for (const tab of all) if (tab.tabIndex !== (tab === chosen ? 0 : -1)) tab.tabIndex = tab === chosen ? 0 : -1;
  };
  list.addEventListener("keydown", (event) => {
    const sense = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!sense) return;
    event.preventDefault();
    const all = tabs();
    const next = all[(all.indexOf(document.activeElement) + sense + all.length) % all.length];
    next?.click();
    next?.focus();
  });
  new MutationObserver(settle).observe(list, { subtree: true, childList: true, attributeFilter: ["aria-selected", "tabindex"] });
  settle();
}
