// Runs: what was asked for, how it ended, and curves of all that was measured.

import { ask, isSaved } from "./data.js";
import { choice, fill, h, keepingFocus, tick } from "./dom.js";
import { bytes, color, dash, drawnColor, seconds, small, whole } from "./format.js";

const AXES = {
  iterations: { title: "iterations", of: (run) => run.history.iteration, show: whole },
  seconds: { title: "seconds", of: (run) => run.history.seconds, show: seconds },
  nodes: { title: "nodes touched", of: (run) => run.history.nodes_touched, show: whole },
};

const CHARTS = [
  { id: "exploitability", title: "Exploitability", of: (run) => run.history.exploitability, log: true, show: small },
  { id: "alive", title: "Entries alive, %", of: (run) => run.history.alive.map((share) => 100 * share), show: (n) => (n === null || n === undefined ? "–" : n.toFixed(1)) },
  { id: "memory", title: "Resident memory", of: (run) => run.history.bytes_resident, show: bytes },
  { id: "speed", title: "Speed, iterations a second", of: speed, log: true, show: small },
];

function speed(run) {
  const { iteration, seconds: at } = run.history;
  return iteration.map((now, k) => {
    const before = k ? [iteration[k - 1], at[k - 1]] : [0, 0];
    return at[k] > before[1] ? (now - before[0]) / (at[k] - before[1]) : null;
  });
}

const COLUMNS = ["iteration", "seconds", "nash_conv", "exploitability", "nodes_touched", "bytes_resident", "alive", "space"];

// What the server has told so far, run by run.
export class Runs {
  constructor() {
    this.found = new Map();
  }

  async refresh(id) {
    const known = this.found.get(id);
    const after = known?.history.iteration.length ?? 0;
    let now = await ask(`runs/${id}`, { after });
    if (now.error && known) now = { ...now, total: after, history: empty() };
    else if (now.total < after || (isSaved && after)) {
      this.found.delete(id);
      now = await ask(`runs/${id}`);
    }
    const old = this.found.get(id)?.history ?? empty();
    const history = {};
    for (const name of COLUMNS) history[name] = old[name].concat(now.history[name] ?? []);
    const changed = !known || now.history.iteration.length > 0 || known.state !== now.state || known.error !== now.error || known.version !== now.version;
    this.found.set(id, { ...now, history });
    return changed;
  }
}

function empty() {
  return Object.fromEntries(COLUMNS.map((name) => [name, []]));
}

export function runView(place, app) {
  const chosen = app.remembered("runs", { x: "iterations", logX: true, hidden: [] });
  const sources = app.sources.filter((each) => each.kind === "run");
  const charts = h("div", { class: "charts" });
  const facts = h("div", { class: "cards" });
  const numbers = h("div", {});
  const counts = () => [...app.runs.found.values()].some((run) => run.history.nodes_touched.some((n) => n !== null));
  const controls = h("div", { class: "controls" });
  const opened = new Set(); // runs of which all numbers are shown
  let drawn = [];
  let curves = ""; // which they are

  const shownRuns = () => sources.map((each) => app.runs.found.get(each.id)).filter((run) => run && run.history.iteration.length && !chosen.hidden.includes(run.id));
  const wanted = () => JSON.stringify([shownRuns().map((run) => run.id), chosen.x, chosen.logX, counts()]);

  function drawControls() {
    const options = Object.entries(AXES).filter(([key]) => key !== "nodes" || counts());
    fill(
      controls,
      choice("Over", options.map(([key, axis]) => [key, axis.title]), chosen.x, (value) => {
        chosen.x = value;
        draw();
      }, { id: "axis" }),
      tick("logarithmic", chosen.logX, (on) => {
        chosen.logX = on;
        draw();
      }, { id: "log-x" }),
    );
  }

  function draw() {
    for (const chart of drawn) chart.destroy();
    drawControls();
    drawNumbers();
    curves = wanted();
    const shown = shownRuns();
    const axis = AXES[chosen.x];
    drawn = [];
    fill(charts);
    if (shown.length) {
      for (const chart of CHARTS) {
        const box = h("section", { class: "panel chart", "aria-label": chart.title, id: `chart-${chart.id}` }, h("h3", {}, chart.title));
        charts.append(box);
        drawn.push(plot(box, chart, shown, axis, chosen.logX));
      }
    } else {
      charts.append(h("p", { class: "empty" }, sources.length ? (app.runs.found.size ? "There is nothing to draw yet: the first snapshot comes soon." : "Reading …") : "No run was given, only strategies."));
    }
  }

  function drawNumbers() {
    keepingFocus(place, () => {
      const before = numbers.querySelectorAll(".scroll");
      const heights = new Map([...before].map((each) => [each.dataset.run, each.scrollTop]));
      fill(facts, sources.map((each) => card(app, each, app.runs.found.get(each.id), chosen, draw)));
      fill(numbers, shownRuns().map((run) => table(run, opened)));
      for (const each of numbers.querySelectorAll(".scroll")) each.scrollTop = heights.get(each.dataset.run) ?? 0;
    });
  }

  // Curves grow where they are, so that values stay under the pointer, and menus open.
  function update() {
    if (wanted() !== curves || !drawn.length) return draw();
    drawNumbers();
    CHARTS.forEach((chart, k) => drawn[k].setData(columns(chart, shownRuns(), AXES[chosen.x], chosen.logX)));
  }

  fill(place, h("h1", { class: "sr" }, "Runs"), facts, controls, charts, numbers);
  draw();
  const resized = new ResizeObserver(() => {
    for (const chart of drawn) chart.setSize(room(chart.root.parentElement));
  });
  resized.observe(charts);
  return { update, leave: () => resized.disconnect(), themed: draw };
}

function room(box) {
  return { width: Math.max(240, box.clientWidth - 24), height: 230 };
}

function card(app, source, run, chosen, draw) {
  const now = run ?? source;
  const last = run?.history.iteration.length ? Object.fromEntries(COLUMNS.map((name) => [name, run.history[name].at(-1)])) : null;
  const state = now.error ? "unreadable" : now.state;
  const facts = [
    ["Game", now.game],
    ["Method", now.method],
    ["Asked for", now.asked?.length ? now.asked.join(", or ") : null],
    ["Ended", now.ended ? now.ended : null],
    ["Begun with a strategy", now.warm_weight ? `that stands for ${whole(now.warm_weight)} iterations` : null],
  ].filter(([, value]) => value);
  const figures = last && [
    ["exploitability", small(last.exploitability)],
    ["iterations", whole(last.iteration)],
    ["time", seconds(last.seconds)],
    ["memory", bytes(last.bytes_resident)],
    now.forgets ? ["alive", `${(100 * last.alive).toFixed(1)} %`] : null,
  ].filter(Boolean);
  const number = app.colorOf(source.id);
  return h(
    "article",
    { class: "panel card", "data-source": source.id },
    h(
      "header",
      {},
      h("label", { class: "tick" },
        h("input", { type: "checkbox", checked: !chosen.hidden.includes(source.id), "aria-label": `Draw ${source.title}`, "data-focus": `draw${source.id}`, onchange: (event) => {
          chosen.hidden = chosen.hidden.filter((id) => id !== source.id);
          if (!event.target.checked) chosen.hidden.push(source.id);
          draw();
        } }),
        h("span", { class: "swatch", style: { background: color(number) } }),
        h("strong", {}, source.title)),
      h("span", { class: `state ${state}` }, state ?? ""),
    ),
    now.error && h("p", { class: "error" }, now.error),
    h("dl", { class: "facts" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    figures && h("dl", { class: "figures" }, figures.map(([name, value]) => h("div", {}, h("dd", {}, value), h("dt", {}, name)))),
    h("p", { class: "links" }, h("a", { href: `#/strategy/${source.id}`, "data-focus": `strategy${source.id}` }, "Strategy"), now.prunes && h("a", { href: `#/pruning/${source.id}`, "data-focus": `pruning${source.id}` }, "Pruning")),
  );
}

export function columns(chart, runs, axis, logX) {
  return globalThis.uPlot.join(runs.map((run) => {
    const [x, y] = [axis.of(run), chart.of(run)];
    const keep = x.map((value, k) => value !== null && value !== undefined && (!logX || value > 0) && y[k] !== undefined && (!chart.log || y[k] > 0));
    return [x.filter((_, k) => keep[k]), y.filter((_, k) => keep[k])];
  }));
}

// Runs are seldom measured at the same moment: where one was not, it has the value nearest to that.
function nearest(data, series, at) {
  const values = data[series];
  if (series === 0 || (values[at] ?? null) !== null) return at;
  let before = at;
  while (before >= 0 && (values[before] ?? null) === null) before -= 1;
  let after = at;
  while (after < values.length && (values[after] ?? null) === null) after += 1;
  if (before < 0 || after === values.length) return at; // it had not begun, or was over
  return data[0][at] - data[0][before] < data[0][after] - data[0][at] ? before : after;
}

export function plot(box, chart, runs, axis, logX) {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--faint").trim();
  const pale = style.getPropertyValue("--line").trim();
  const powers = { filter: (_, marks) => marks.map((mark) => (isPower(mark) ? mark : null)) };
  const lines = (log) => ({ stroke: pale, width: 1, ...(log ? powers : {}) });
  const ticks = { show: false };
  const options = {
    ...room(box),
    scales: { x: { time: false, distr: logX ? 3 : 1 }, y: chart.log ? { distr: 3 } : { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] } },
    axes: [
      { stroke: ink, grid: lines(logX), ticks, label: axis.title, labelSize: 20, size: 34, font: "11px system-ui", labelFont: "11px system-ui", values: (_, marks) => marks.map((mark) => (mark === null ? "" : short(mark))) },
      { stroke: ink, grid: lines(chart.log), ticks, size: 58, font: "11px system-ui", values: (_, marks) => marks.map((mark) => (mark === null ? "" : chart.id === "memory" ? bytes(mark) : short(mark))) },
    ],
    series: [
      { label: axis.title, value: (_, value) => (value === null ? "" : axis.show(value)) },
      ...runs.map((run) => ({
        label: run.title,
        stroke: drawnColor(run.color),
        dash: dash(run.color),
        width: 2,
        spanGaps: true,
        points: { show: false },
        value: (_, value) => (value === null ? "" : chart.show(value)),
      })),
    ],
    cursor: { dataIdx: (self, series, at) => nearest(self.data, series, at), sync: { key: "secateur", setSeries: false }, points: { size: 7 } },
    legend: { live: true },
  };
  return new globalThis.uPlot(options, columns(chart, runs, axis, logX), box);
}

function isPower(number) {
  const power = Math.log10(number);
  return Math.abs(power - Math.round(power)) < 1e-9;
}

function short(number) {
  if (number === 0) return "0";
  const size = Math.abs(number);
  if (size >= 1e6 || size < 1e-3) return number.toExponential(0).replace("e+", "e").replace("-", "−");
  return size >= 1000 ? `${Number((number / 1000).toPrecision(3))}k` : String(Number(number.toPrecision(3)));
}

function table(run, opened) {
  const details = h("details", { class: "panel", open: opened.has(run.id), ontoggle: () => {
    if (details.open === opened.has(run.id)) return;
    if (details.open) opened.add(run.id);
    else opened.delete(run.id);
    fill(body, details.open && rows(run));
  } }, h("summary", { "data-focus": `numbers${run.id}` }, `All numbers of ${run.title}`));
  const body = h("div", { class: "scroll", "data-run": run.id, tabindex: 0, role: "region", "aria-label": `Numbers of ${run.title}` }, opened.has(run.id) && rows(run));
  details.append(body);
  return details;
}

function rows(run) {
  const history = run.history;
  const latest = [...history.iteration.keys()].reverse().slice(0, 200);
  return h("table", {},
    h("caption", { class: "sr" }, `Snapshots of ${run.title}, the latest first`),
    h("thead", {}, h("tr", {}, ["Iteration", "Time", "Exploitability", "NashConv", "Nodes touched", "Memory", "Alive", "Space"].map((name) => h("th", { scope: "col", class: "n" }, name)))),
    h("tbody", {}, latest.map((k) => h("tr", {},
      h("th", { scope: "row", class: "n" }, whole(history.iteration[k])),
      [seconds(history.seconds[k]), small(history.exploitability[k]), small(history.nash_conv[k]), whole(history.nodes_touched[k]), bytes(history.bytes_resident[k]), `${(100 * history.alive[k]).toFixed(1)} %`, `${(100 * history.space[k]).toFixed(1)} %`].map((text) => h("td", { class: "n" }, text))))));
}
