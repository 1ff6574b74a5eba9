// The page: which view is shown, what was chosen, keys, and news from the server.

import { fill, h, say } from "./dom.js";
import { ask, isSaved } from "./data.js";
import { Runs, runView } from "./runs.js";
import { strategyView } from "./strategy.js";
import { pruningView } from "./pruning.js";
import { compareView } from "./compare.js";

const VIEWS = {
  runs: ["Runs", runView],
  strategy: ["Strategy", strategyView],
  pruning: ["Pruning", pruningView],
  compare: ["Compare", compareView],
};

const KEYS = [
  ["1 – 9", "take a way on"],
  ["u, Backspace", "go back one move"],
  ["↑ ↓, j k", "from row to row"],
  ["/", "search private states"],
  ["r s p c", "runs, strategy, pruning, compare"],
  ["t", "light, dark, or as the system has it"],
  ["?", "these keys"],
];

const app = {
  sources: [],
  runs: new Runs(),
  chosen: new Map(),
  view: {},
  last: {},

  source(id) {
    return this.sources.find((each) => String(each.id) === String(id)) ?? this.sources[0];
  },

  colorOf(id) {
    return this.sources.findIndex((each) => each.id === id);
  },

  // What was chosen stays while the page is open.
  remembered(name, usual) {
    if (!this.chosen.has(name)) this.chosen.set(name, usual);
    return this.chosen.get(name);
  },

  go(address) {
    if (location.hash === address) show();
    else location.hash = address;
  },

  complain(error) {
    say(error.message);
  },
};

const place = document.getElementById("view");

function show() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  const known = Object.hasOwn(VIEWS, name) ? name : app.sources.some((each) => each.kind === "run") ? "runs" : "strategy";
  app.last[known] = location.hash;
  if (app.name === known && app.view.move?.(rest)) return;
  app.view.leave?.();
  fill(document.getElementById("tabs"), Object.entries(VIEWS).map(([key, [title]]) => h("a", { href: app.last[key] || `#/${key}`, "aria-current": key === known ? "page" : null, "data-view": key }, title)));
  document.title = `${VIEWS[known][0]} · secateur`;
  app.name = known;
  app.view = VIEWS[known][1](place, app, rest) ?? {};
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function refreshRuns() {
  const runs = app.sources.filter((each) => each.kind === "run");
  const changed = await Promise.all(runs.map((each) => app.runs.refresh(each.id)));
  for (const each of runs) app.runs.found.get(each.id).color = app.colorOf(each.id);
  return changed.some(Boolean);
}

async function news() {
  try {
    const before = JSON.stringify(app.sources);
    app.sources = await ask("sources");
    const changed = await refreshRuns();
    document.body.classList.remove("lost");
    if (changed || JSON.stringify(app.sources) !== before) app.view.update?.();
  } catch (error) {
    document.body.classList.add("lost");
    say(error.message);
  }
  listen();
}

function listen() {
  const goesOn = app.sources.some((each) => each.state === "running" || each.strategy === "opening");
  if (!isSaved) setTimeout(news, (goesOn ? 1000 : 4000) * (document.hidden ? 5 : 1));
}

const THEMES = ["system", "light", "dark"];

function theme(wanted) {
  let now = wanted;
  try {
    if (wanted) localStorage.setItem("secateur-theme", wanted);
    else now = localStorage.getItem("secateur-theme");
  } catch {
    // a page without storage forgets
  }
  now = THEMES.includes(now) ? now : "system";
  document.documentElement.dataset.theme = now;
  const button = document.getElementById("theme");
  button.textContent = { system: "◐", light: "☀", dark: "☾" }[now];
  button.setAttribute("aria-label", `Colors: ${now}. Change`);
  button.title = `Colors: ${now} (t)`;
  button.onclick = () => theme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
  app.view.themed?.();
}

function help() {
  const box = document.getElementById("keys");
  fill(box, h("h2", { id: "keys-title" }, "Keys"), h("dl", {}, KEYS.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])), h("form", { method: "dialog" }, h("button", {}, "Close")));
  if (!box.open) box.showModal();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, dialog")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const views = { r: "runs", s: "strategy", p: "pruning", c: "compare" };
  if (views[event.key]) app.go(app.last[views[event.key]] || `#/${views[event.key]}`);
  else if (event.key === "?") help();
  else if (event.key === "t") document.getElementById("theme").click();
  else if (!app.view.key?.(event)) return;
  event.preventDefault();
}

async function begin() {
  theme();
  document.getElementById("help").addEventListener("click", help);
  addEventListener("keydown", pressed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.view.themed?.());
  try {
    app.sources = await ask("sources");
  } catch (error) {
    fill(place, h("p", { class: "error panel" }, error.message));
    return;
  }
  if (isSaved) document.body.classList.add("saved");
  addEventListener("hashchange", () => {
    show();
    scrollTo(0, 0);
  });
  show();
  if (await refreshRuns().catch((error) => say(error.message))) app.view.update?.();
  listen();
}

begin();
