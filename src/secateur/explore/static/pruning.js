// What a run has cut, and how much of the tree was alive over time.

import { choice, fill, h, keepingFocus } from "./dom.js";
import { askPatiently } from "./data.js";
import { percent, small, whole } from "./format.js";
import { columns, plot } from "./runs.js";
import { pager } from "./table.js";

const PAGE = 20;
const SHARES = { alive: "regrets", space: "regrets and strategy sums" };
const CURVE = { id: "alive", of: (run) => run.history.alive.map((share) => 100 * share), show: (n) => (n === null || n === undefined ? "–" : n.toFixed(1)) };
const AXIS = { title: "iterations", of: (run) => run.history.iteration, show: whole };
const ORDERS = [["histories", "the largest"], ["since", "the oldest"], ["again", "those looked at soonest"], ["margin", "the clearest"]];

export function pruningView(place, app, [id]) {
  const runs = app.sources.filter((each) => each.prunes);
  if (!runs.length) {
    fill(place, h("h1", { class: "sr" }, "Pruning"), h("p", { class: "empty" }, "None of these runs cuts actions. Try 'secateur solve leduc --algorithm cfr --prune brp --run DIR'."));
    return {};
  }
  const source = runs.find((each) => String(each.id) === id) ?? runs[0];
  const order = app.remembered("pruning", { sort: "histories" });
  const head = h("div", { class: "strategy-head" });
  const chart = h("section", { class: "panel chart", "aria-label": "How much was alive over time" });
  const list = h("section", { class: "panel tablebox", "aria-label": "Cuts" });
  let offset = 0;
  let version = -1;
  let gone = false;
  let drawn = null;

  fill(place, h("h1", { class: "sr" }, "Pruning"), head, chart, list);

  const shares = (run) => ["alive", "space"].map((name, color) => ({ ...run, title: SHARES[name], color, history: { ...run.history, alive: run.history[name] } }));

  function drawChart() {
    const run = app.runs.found.get(source.id);
    drawn?.destroy();
    drawn = null;
    fill(chart, h("h3", {}, "Alive over time, % of all"));
    if (!run?.history.iteration.length) return;
    drawn = plot(chart, CURVE, shares(run), AXIS, false);
    if (!run.forgets) chart.append(h("p", { class: "hint" }, "This method keeps what it has learned of cut actions, so that all of it stays alive; how much was cut at earlier iterations is not noted."));
  }

  function updateChart() {
    const run = app.runs.found.get(source.id);
    if (drawn && run) drawn.setData(columns(CURVE, shares(run), AXIS, false));
    else drawChart();
  }

  async function load() {
    updateChart();
    try {
      const facts = await askPatiently(`strategies/${source.id}`, {}, (sentence) => fill(list, h("p", { class: "empty busy" }, sentence)));
      const found = await askPatiently(`cuts/${source.id}`, { offset, limit: PAGE, sort: order.sort });
      if (gone) return;
      version = app.source(source.id).version;
      keepingFocus(place, () => {
        drawHead(facts, found);
        drawList(found);
      });
    } catch (error) {
      if (!gone) fill(list, h("p", { class: "error" }, error.message));
    }
  }

  function drawHead(facts, found) {
    fill(head,
      h("div", { class: "title" }, h("h2", {}, source.title),
        h("p", { class: "hint" }, `${source.game} · after iteration ${whole(facts.iteration)} · ${whole(found.total)} cut${found.total === 1 ? "" : "s"}`)),
      h("div", { class: "controls" },
        runs.length > 1 && choice("Run", runs.map((each) => [each.id, each.title]), source.id, (value) => app.go(`#/pruning/${value}`), { "data-focus": "run" }),
        choice("First", ORDERS.filter(([key]) => key !== "since" || found.dated), order.sort, (value) => {
          order.sort = value;
          offset = 0;
          load();
        }, { id: "order", "data-focus": "order" })),
      h("dl", { class: "figures" },
        h("div", {}, h("dd", {}, whole(found.total)), h("dt", {}, "actions are cut")),
        h("div", {}, h("dd", {}, `${percent(found.histories_all ? found.histories / found.histories_all : 0)} %`), h("dt", {}, "of what an iteration would visit lies behind them"))));
  }

  function drawList(found) {
    fill(list,
      h("header", {}, h("h3", {}, "Cut branches")),
      found.total === 0 ? h("p", { class: "empty" }, "Nothing is cut at this checkpoint: pruning begins when it saves time, or with --check-every N.") :
      h("div", { class: "scroll" }, h("table", { class: "strategy cuts" },
        h("caption", { class: "sr" }, "Actions that are cut"),
        h("thead", {}, h("tr", {}, ["Private state", "Action"].map((name) => h("th", { scope: "col" }, name)), ["Histories behind", "Since iteration", "Earned without", "At most with", "Looked at again by"].map((name) => h("th", { scope: "col", class: "n" }, name)))),
        h("tbody", {}, found.cuts.map((cut) => h("tr", { class: "gone" },
          h("th", { scope: "row" }, h("a", { href: `#/strategy/${source.id}/${cut.node}` }, cut.label)),
          h("td", {}, cut.action),
          h("td", { class: "n" }, whole(cut.histories)),
          h("td", { class: "n" }, cut.since ? whole(cut.since) : "not noted"),
          h("td", { class: "n" }, small(cut.earned)),
          h("td", { class: "n" }, small(cut.at_most)),
          h("td", { class: "n" }, cut.again ? `about ${whole(cut.again)}` : "not in sight")))))),
      pager({ block: "cuts" }, { offset, limit: PAGE, shown: found.cuts.length, matching: found.total }, move));
  }

  function move(to) {
    offset = to.offset;
    load();
  }

  load();
  const resized = new ResizeObserver(() => drawn?.setSize({ width: Math.max(240, chart.clientWidth - 24), height: 230 }));
  resized.observe(chart);
  return {
    leave: () => {
      gone = true;
      resized.disconnect();
    },
    update: () => (app.source(source.id).version !== version && version >= 0 ? load() : updateChart()),
    themed: drawChart,
  };
}
