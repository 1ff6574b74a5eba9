// What tables have in common: heads that sort, and pages.

import { h } from "./dom.js";
import { whole } from "./format.js";

// A click sorts, another one the other way round, and a third takes that back.
export function sortHead(table, view, change, key, text, title, more) {
  const on = view.sort === key;
  const down = on && view.descending;
  const next = on && down ? { sort: "", descending: false } : { sort: key, descending: on };
  return h("th", { scope: "col", "aria-sort": on ? (down ? "descending" : "ascending") : null, ...more },
    h("button", { type: "button", class: "sort", title, "data-focus": `sort${table.block}${key}`, onclick: () => change(next) },
      text, h("span", { class: "arrow", "aria-hidden": "true" }, on ? (down ? "▾" : "▴") : "")));
}

export function pager(table, { offset, limit, shown, matching }, change) {
  if (matching <= limit && offset === 0) return null;
  const end = offset + shown;
  return h("div", { class: "pager" },
    h("button", { type: "button", disabled: offset === 0, "data-focus": `before${table.block}`, onclick: () => change({ offset: Math.max(0, offset - limit) }) }, "Before"),
    h("span", {}, `${shown ? offset + 1 : 0}–${end} of ${whole(matching)}`),
    h("button", { type: "button", disabled: end >= matching, "data-focus": `next${table.block}`, onclick: () => change({ offset: end }) }, "Next"));
}
