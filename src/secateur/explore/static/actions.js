// One private state with many actions reads better as a list of them.

import { bar } from "./cells.js";
import { h } from "./dom.js";
import { percent, worth } from "./format.js";
import { pager, sortHead } from "./table.js";

const PAGE = 50;

export function isList(table) {
  return table.total === 1 && table.actions.length > 8;
}

// Before anybody sorts, what is played most comes first.
export function actionList(table, view, change, badge) {
  const row = table.rows[0];
  if (!row) return h("p", { class: "empty" }, "Nothing here is reached.");
  const compared = Boolean(row.other);
  const columns = {
    action: (k) => k,
    p: (k) => row.p[k],
    differs: (k) => Math.abs(row.p[k] - row.other.p[k]),
    value: (k) => row.value[k],
    loss: (k) => row.loss[k],
  };
  const wanted = (view.search ?? "").toLowerCase();
  const found = row.p.map((_, k) => k).filter((k) => table.actions[k].toLowerCase().includes(wanted));
  const key = columns[view.sort] ?? ((k) => -row.p[k]);
  found.sort((a, b) => (view.descending ? key(b) - key(a) : key(a) - key(b)) || a - b);
  const offset = view.offset ?? 0;
  const shown = found.slice(offset, offset + PAGE);
  const head = (name, text, more) => sortHead(table, view, change, name, text, null, more);
  return [
    h("div", { class: "scroll" }, h("table", { class: "strategy" },
      h("caption", {}, row.label),
      h("thead", {}, h("tr", {},
        head("action", "Action"),
        head("p", "Probability"),
        compared && head("differs", "Differs", { class: "n" }),
        row.value && head("value", "Value", { class: "n" }),
        row.loss && head("loss", "Loses", { class: "n" }))),
      h("tbody", {}, shown.length ? shown.map((k) => h("tr", { tabindex: -1, "data-row": k, "data-focus": `row${table.block}:${k}`, class: row.cuts?.[k] ? "gone" : null },
        h("th", { scope: "row" }, table.actions[k], " ", badge(row, k)),
        h("td", {}, bar(row.p[k], k), percent(row.p[k]), h("span", { class: "unit" }, " %"), compared && h("span", { class: "second" }, percent(row.other.p[k]))),
        compared && h("td", { class: "n differs", style: { "--apart": columns.differs(k) } }, percent(columns.differs(k)), h("span", { class: "unit" }, " %")),
        row.value && h("td", { class: "n" }, worth(row.value[k])),
        row.loss && h("td", { class: "n" }, worth(row.loss[k])))) : h("tr", {}, h("td", { colspan: 5, class: "empty" }, "Nothing matches."))))),
    pager(table, { offset, limit: PAGE, shown: shown.length, matching: found.length }, change),
  ];
}
