// Two strategies side by side at the same node, and where they differ most.

import { choice, fill, h } from "./dom.js";
import { askPatiently } from "./data.js";
import { percent } from "./format.js";
import { nodeView } from "./strategy.js";

export function compareView(place, app, [first, second, node]) {
  if (app.sources.length < 2) {
    fill(place, h("h1", { class: "sr" }, "Comparison"), h("p", { class: "empty" }, "There is only one strategy here. Name two: 'secateur explore first second'."));
    return {};
  }
  const one = app.source(first ?? app.sources[0].id);
  const other = app.source(second ?? app.sources.find((each) => each.id !== one.id).id);
  const address = (a, b, number) => `#/compare/${a}/${b}${number === undefined ? "" : `/${number}`}`;
  const named = app.sources.map((each) => [each.id, each.title]);
  const list = h("div", {}, h("p", { class: "empty busy" }, "Comparing"));
  const beside = h("section", { class: "panel differences", "aria-label": "Where they differ most" },
    h("div", { class: "controls" },
      choice("First", named, one.id, (value) => app.go(address(value, other.id, node)), { id: "first" }),
      h("button", { type: "button", onclick: () => app.go(address(other.id, one.id, node)), "aria-label": "Exchange them" }, "⇄"),
      choice("Second", named, other.id, (value) => app.go(address(one.id, value, node)), { id: "second" })),
    h("p", { class: "hint" }, `In each cell the upper number and bar are ${one.title}, the lower ${other.title}. The stronger the color, the more they differ.`),
    h("h3", {}, "Where they differ most"), list);

  async function load() {
    try {
      await askPatiently(`strategies/${other.id}`, {});
      const { differences } = await askPatiently(`differences/${one.id}`, { with: other.id, limit: 12 });
      fill(list, differences.length === 0 ? h("p", { class: "empty" }, "They are the same wherever anybody comes.") :
        h("ol", { class: "where" }, differences.map((each) => h("li", {},
          h("a", { href: address(one.id, other.id, each.node), "data-node": each.node, "aria-current": String(each.node) === node ? "true" : null }, each.words.map((words) => words || "(hidden moves)").join(" ") || "start"),
          h("span", { class: "hint" }, `${percent(each.amount)} % of all plays, up to ${percent(each.largest)} % apart`)))));
    } catch (error) {
      fill(list, h("p", { class: "error" }, error.message));
    }
  }

  load();
  const view = nodeView(place, app, { source: one, other, node, beside, link: (number) => address(one.id, other.id, number) });
  const move = ([a, b, number]) => {
    if (a !== String(one.id) || b !== String(other.id)) return false;
    for (const each of list.querySelectorAll("a")) {
      if (each.dataset.node === number) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    return view.move(number);
  };
  return { ...view, move };
}
