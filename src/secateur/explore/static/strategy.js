// A strategy, node by node: the line so far, tables of private states by actions, and ways on.

import { actionList, isList } from "./actions.js";
import { bar, mix, reason, whyText } from "./cells.js";
import { ask, askPatiently, isSaved, pause } from "./data.js";
import { choice, debounced, fill, h, keepingFocus, say, tick } from "./dom.js";
import { NOTHING, color, percent, whole, worth } from "./format.js";
import { commonEnds, named } from "./labels.js";
import { pager, sortHead } from "./table.js";

const PAGE = 50;

export function strategyView(place, app, [id, node]) {
  const source = app.source(id);
  const view = nodeView(place, app, { source, other: null, node, link: (number) => `#/strategy/${source.id}/${number}` });
  return { ...view, move: ([next, number]) => next === id && view.move(number) };
}

// Also the view of a comparison, whose rows have the numbers of another strategy beside them.
export function nodeView(place, app, { source, other, node, link, beside }) {
  const chosen = app.remembered("strategy", { detail: "loss", reached: false });
  const views = new Map(); // of each table: what is searched, sorted, and which page
  const reasons = new Map(); // of cuts that are shown: what to click, line by line
  const head = h("div", { class: "strategy-head" });
  const crumbs = h("nav", { class: "crumbs", "aria-label": "Line so far" });
  const ways = h("section", { class: "panel ways", "aria-label": "Go on" });
  const tables = h("div", {});
  let facts = null;
  let shown = null;
  const shownSources = [source, other].filter(Boolean);
  const versions = () => shownSources.map((each) => app.source(each.id).version).join(" ");
  let version = versions();
  let gone = false;
  let following = false;

  const stack = h("div", { class: "stack" }, head, crumbs, ways, tables);
  fill(place, h("h1", { class: "sr" }, beside ? "Comparison" : "Strategy"), beside ? h("div", { class: "split" }, stack, beside) : stack);

  async function load() {
    const wanted = node;
    try {
      const now = versions();
      if (!facts?.complete || version !== now) facts = await askPatiently(`strategies/${source.id}`, {}, wait);
      const found = await askPatiently(`nodes/${source.id}/${wanted ?? facts.start}`, query(), wait);
      found.tables = await Promise.all(found.tables.map((table) => (views.has(table.block) && !isList(table) ? tableOf(table.block) : table)));
      if (gone || wanted !== node) return;
      version = now;
      const moved = found.node !== shown?.node;
      shown = found;
      draw();
      if (!facts.complete || shown.tables.some((table) => !table.complete)) follow();
      if (moved) say(`${lineText(shown)}. ${shown.tables.map((table) => `${table.player_name}, ${table.total} private states`).join("; ")}`);
    } catch (error) {
      if (!gone) fill(tables, h("p", { class: "error panel" }, error.message));
    }
  }

  // Probabilities are there first; when the rest is, all is shown once more.
  async function follow() {
    if (following) return;
    following = true;
    let all = [];
    do {
      await pause(150);
      all = await Promise.all(shownSources.map((each) => ask(`strategies/${each.id}`).catch(() => ({ complete: false }))));
    } while (!gone && !all.every((each) => each.complete));
    following = false;
    if (!gone) load();
  }

  function wait(sentence) {
    if (!gone && !shown) fill(tables, h("p", { class: "empty busy" }, sentence));
  }

  function query(block) {
    const view = views.get(block) ?? {};
    return { limit: PAGE, reached: chosen.reached, with: other ? other.id : "", ...view };
  }

  const tableOf = (block) => askPatiently(`tables/${source.id}/${block}`, query(block));

  async function reload(block) {
    try {
      const table = await tableOf(block);
      const at = shown.tables.findIndex((each) => each.block === block);
      if (at < 0) shown.tables.push(table);
      else shown.tables[at] = table;
      if (!gone) draw(block);
    } catch (error) {
      app.complain(error);
    }
  }

  function draw(only) {
    keepingFocus(place, () => (only === undefined ? drawAll() : drawTable(only)));
    for (const key of reasons.values()) tables.querySelector(`[data-focus="${key}"][aria-expanded=false]`)?.click();
  }

  function drawAll() {
    drawHead();
    drawCrumbs();
    drawWays(shown);
    fill(tables, shown.tables.map(box), shown.more_tables.map((each) => h("button", { type: "button", class: "more", onclick: (event) => {
      event.target.remove();
      shown.more_tables = shown.more_tables.filter((one) => one !== each);
      reload(each.block);
    } }, `${each.player_name}: more private states with another number of actions`)));
  }

  function drawTable(block) {
    const old = tables.querySelector(`[data-block="${block}"]`);
    const made = box(shown.tables.find((table) => table.block === block));
    if (old) old.replaceWith(made);
    else tables.append(made);
  }

  function drawHead() {
    const options = [["loss", "what each action loses"], ["value", "what each action is worth"], ["none", "probabilities only"]];
    fill(
      head,
      h("div", { class: "title" },
        h("h2", {}, beside ? `${source.title} and ${other.title}` : source.title),
        h("p", { class: "hint" }, h("span", { class: "game", title: facts.game }, source.kind === "run" ? source.game : facts.game), facts.iteration ? ` · after iteration ${whole(facts.iteration)}` : "", ` · ${whole(facts.information_sets)} information set${facts.information_sets === 1 ? "" : "s"}`)),
      h("div", { class: "controls" },
        !beside && app.sources.length > 1 && choice("Strategy of", app.sources.map((each) => [each.id, each.title]), source.id, (value) => app.go(`#/strategy/${value}/${shown.node}`), { id: "source", "data-focus": "source" }),
        facts.has_values && !beside && choice("Show", options, chosen.detail, (value) => {
          chosen.detail = value;
          draw();
        }, { id: "detail", "data-focus": "detail" }),
        tick("only what is reached", chosen.reached, (on) => {
          chosen.reached = on;
          views.clear();
          load();
        }, { id: "reached", "data-focus": "reached" })),
      facts.note && h("p", { class: "note" }, facts.note),
      facts.complete ? null : h("p", { class: "hint pending busy" }, "Values, how often private states are reached, and what was cut are being computed"),
    );
  }

  function drawCrumbs() {
    const steps = shown.line;
    fill(crumbs, h("ol", {}, steps.map((step, k) => {
      const words = k === 0 ? "start" : step.words || "(hidden moves)";
      const here = k === steps.length - 1;
      return h("li", {}, h("a", { href: link(step.node), "aria-current": here ? "page" : null }, words));
    })));
  }

  function drawWays(found) {
    const colors = new Map();
    for (const table of shown.tables) table.actions.forEach((name, k) => colors.set(`${table.block}:${k}`, [name, k, table.cut?.[k] ?? 0]));
    const groups = new Map();
    found.branches.forEach((branch) => {
      const key = branch.moves.map((move) => `${move.table}:${move.action}`).join(" ");
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(branch);
    });
    let number = 0; // of a key, in the order in which they are seen
    const ends = shown.tables.length === 1 ? shown.tables[0].actions.map((name, k) => [name, k]).filter(([, k]) => !groups.has(`${shown.tables[0].block}:${k}`)) : [];
    ways.hidden = false;
    fill(
      ways,
      h("h3", {}, found.branches_total ? "Go on" : "Nobody decides after this"),
      [...groups.entries()].map(([key, branches]) => {
        const move = colors.get(key);
        const cut = move?.[2] === 1;
        return h("div", { class: `way${cut ? " gone" : ""}` },
          move && h("span", { class: "swatch", style: { background: color(move[1]) } }),
          branches.length > 1 && move && h("span", { class: "way-name" }, move[0]),
          branches.map((branch) => h("a", { class: "chip", href: link(branch.node), "data-way": (number += 1) },
            number < 10 ? h("kbd", { "aria-hidden": "true" }, number) : null,
            branches.length > 1 && move ? branch.words.slice(move[0].length).trim() || branch.words : branch.words || "what follows")),
          cut && h("span", { class: "badge" }, "cut"));
      }),
      ends.length && found.branches_total ? h("p", { class: "hint" }, `${ends.map(([name]) => name).join(", ")}: nobody decides after that`) : null,
      (found.branches_total > found.branches.length || found.searched) && branchPager(found),
    );
  }

  function branchPager(found) {
    const step = async (offset, search) => {
      try {
        const more = await ask(`branches/${source.id}/${shown.node}`, { offset, search });
        drawWays({ ...more, searched: search });
        ways.querySelector("input")?.focus();
      } catch (error) {
        app.complain(error);
      }
    };
    const end = found.branches_offset + found.branches.length;
    return h("div", { class: "pager" },
      h("input", { type: "search", placeholder: "find a way on", "aria-label": "Find a way on", value: found.searched ?? "", onchange: (event) => step(0, event.target.value) }),
      h("span", {}, `${found.branches_total ? found.branches_offset + 1 : 0}–${end} of ${whole(found.branches_total)}`),
      h("button", { type: "button", disabled: found.branches_offset === 0, onclick: () => step(Math.max(0, found.branches_offset - 60), found.searched ?? "") }, "Before"),
      h("button", { type: "button", disabled: end >= found.branches_total, onclick: () => step(end, found.searched ?? "") }, "Next"));
  }

  function box(table) {
    const list = isList(table);
    const view = views.get(table.block) ?? {};
    const change = (more) => {
      views.set(table.block, { ...view, offset: 0, ...more });
      if (list) draw(table.block);
      else reload(table.block);
    };
    const many = (list ? table.actions.length : table.total) > 12;
    const what = list ? "actions" : "private states";
    return h("section", { class: "panel tablebox", "data-block": table.block, "aria-label": table.player_name },
      h("header", {},
        h("h3", {}, h("span", { class: `player p${table.player}` }, table.player_name), h("span", { class: "hint" }, list ? ` ${whole(table.actions.length)} actions` : ` ${whole(table.total)} private state${table.total === 1 ? "" : "s"}`)),
        many && h("div", { class: "controls" },
          h("input", { type: "search", class: "search", placeholder: "search", "aria-label": `Search ${what}`, value: view.search ?? "", "data-focus": `search${table.block}`, oninput: debounced((event) => change({ search: event.target.value })) }),
          !list && !isSaved && choice("Group", [["", "not at all"], ["play", "by what they do"], ["word", "by their first word"]], view.group ?? "", (value) => change({ group: value, only: "" }), { "data-focus": `group${table.block}` }))),
      table.groups.length ? groupTable(table, view, change) : null,
      list ? actionList(table, view, change, (row, k) => badge(row, table.actions[k], k)) : [grid(table, view, change), pager(table, { ...table, shown: table.rows.length }, change)]);
  }

  function grid(table, view, change) {
    const valued = !table.complete || table.rows.some((row) => row.ev !== undefined);
    const compared = table.rows.some((row) => row.other);
    const valuable = valued && !compared;
    const ends = commonEnds(table.rows);
    const header = (key, text, title, more) => sortHead(table, view, change, key, text, title, more);
    return h("div", { class: "scroll" }, h("table", { class: "strategy" },
      h("caption", { class: "sr" }, `${table.player_name}, ${lineText(shown)}: probabilities of actions in percent`),
      h("thead", {}, h("tr", {},
        header("label", "Private state"),
        compared && header("difference", "Differs", "share of plays that differ, in percent", { class: "n" }),
        h("th", { scope: "col", class: "mixhead" }, "Plays"),
        table.actions.map((name, k) => header(`action${k}`, [h("span", { class: "swatch", style: { background: color(k) } }), h("span", { class: "name" }, name)], `sort by ${name}`, { class: "n" })),
        valued && header("value", "Value", "what its player wins on average from here", { class: "n" }),
        valuable && header("lost", "Gives up", "how much less that is than with the best action", { class: "n" }),
        header("reach", "Reached", "how likely it is when both follow the strategy", { class: "n" }))),
      h("tbody", {},
        table.rows.length ? table.rows.map((row) => line(table, row, ends, valued, compared)) : h("tr", {}, h("td", { colspan: table.actions.length + 5, class: "empty" }, "Nothing matches.")),
      ),
      table.total > 1 && table.all.p && h("tfoot", {}, h("tr", {},
        h("th", { scope: "row" }, "all together"),
        compared && h("td", {}),
        h("td", {}, mix(table.all.p, table.actions), compared && table.all_other?.p && mix(table.all_other.p, table.actions)),
        table.all.p.map((p, k) => h("td", { class: "n" }, percent(p), h("span", { class: "unit" }, " %"), compared && table.all_other?.p && h("div", { class: "second" }, percent(table.all_other.p[k])))),
        valued && h("td", { class: "n" }, worth(table.all.ev), compared && table.all_other && h("div", { class: "second" }, worth(table.all_other.ev))),
        valuable && h("td", {}),
        h("td", { class: "n" }, percent(table.all.weight), h("span", { class: "unit" }, " %"))))));
  }

  function line(table, row, ends, valued, compared) {
    const names = row.actions ?? table.actions;
    const weight = row.own_reach * (row.reach ?? 1);
    const apart = compared ? row.other.p.reduce((sum, p, k) => sum + Math.abs(p - row.p[k]) / 2, 0) : 0;
    const titles = `its player comes with ${percent(row.own_reach)} %${row.reach === undefined ? "" : `, chance and the opponent with ${percent(row.reach)} %`}`;
    return h("tr", { class: [weight > 0 ? "" : "dim", row.behind ? "behind" : ""].join(" ").trim() || null, tabindex: -1, "data-row": `${row.block}:${row.lane}`, "data-focus": `row${row.block}:${row.lane}` },
      h("th", { scope: "row" }, named(row, ends), row.behind && h("span", { class: "badge", title: "behind an action that its player has cut" }, "behind a cut"), weight > 0 ? null : h("span", { class: "sr" }, " never reached")),
      compared && h("td", { class: "n differs", style: { "--apart": apart } }, percent(apart), h("span", { class: "unit" }, " %")),
      h("td", {}, mix(row.p, names), compared && mix(row.other.p, names)),
      row.p.map((p, k) => cell(row, names, p, k, compared)),
      valued && h("td", { class: "n" }, table.complete ? worth(row.ev) : "…", compared && h("div", { class: "second" }, worth(row.other.ev))),
      valued && !compared && h("td", { class: "n" }, table.complete ? worth(givenUp(row)) : "…"),
      table.complete ? h("td", { class: "n", title: titles }, percent(weight), h("span", { class: "unit" }, " %")) : h("td", { class: "n" }, "…"));
  }

  function cell(row, names, p, k, compared) {
    const away = compared ? Math.abs(p - row.other.p[k]) : 0;
    const detail = compared ? null : chosen.detail === "loss" ? row.loss : chosen.detail === "value" ? row.value : null;
    return h("td", { class: `act${row.cuts?.[k] ? " cut" : ""}${away > 0.005 ? " apart" : ""}`, style: compared ? { "--apart": away } : null },
      bar(p, k),
      h("span", { class: "num" }, row.actions ? `${names[k]} ` : "", percent(p), h("span", { class: "unit" }, " %")),
      compared && h("span", { class: "second" }, percent(row.other.p[k])),
      detail && h("span", { class: "detail" }, told(detail[k])),
      badge(row, names[k], k));
  }

  function badge(row, name, k) {
    const cut = row.cuts?.[k];
    const key = `cut${row.block}:${row.lane}:${k}`;
    const line = `${row.block}:${row.lane}`;
    const clicked = (event) => {
      if (!reason(event.currentTarget, row.label, name, cut)) {
        reasons.delete(line);
      } else if (reasons.get(line) !== key) {
        reasons.set(line, key);
        say(`${row.label}, ${name}: ${whyText(cut)}`);
      }
    };
    return cut && h("button", { type: "button", class: "badge", "aria-expanded": "false", "data-focus": key, onclick: clicked }, "cut");
  }

  function told(number) {
    if (number === null) return "never";
    if (chosen.detail === "value") return worth(number);
    return number < NOTHING ? "best" : `loses ${worth(number)}`;
  }

  ways.hidden = true;
  load();

  return {
    leave: () => {
      gone = true;
    },
    // The same strategy at another node: what is shown stays until that is there.
    move: (number) => {
      node = number;
      load();
      return true;
    },
    update: () => {
      if (shown && versions() !== version) load();
    },
    key: (event) => keys(event, shown, app, link, tables, ways),
  };
}

function groupTable(table, view, change) {
  return h("div", { class: "scroll" }, h("table", { class: "strategy groups" },
    h("caption", { class: "sr" }, "Groups of private states"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Group"), h("th", { scope: "col" }, "Plays"), h("th", { scope: "col", class: "n" }, "States"), h("th", { scope: "col", class: "n" }, "Value"), h("th", { scope: "col", class: "n" }, "Reached"))),
    h("tbody", {}, table.groups.map((group) => h("tr", { class: view.only === group.key ? "chosen" : null },
      h("th", { scope: "row" }, h("button", { type: "button", class: "sort", "aria-pressed": String(view.only === group.key), "data-focus": `group${group.key}`, onclick: () => change({ only: view.only === group.key ? "" : group.key }) }, group.key || "–")),
      h("td", {}, group.p ? mix(group.p, table.actions) : "–"),
      h("td", { class: "n" }, whole(group.count)),
      h("td", { class: "n" }, worth(group.ev)),
      h("td", { class: "n" }, percent(group.weight), h("span", { class: "unit" }, " %")))))));
}

// Nobody can tell where nobody comes.
function givenUp(row) {
  return row.loss.includes(null) ? null : row.loss.reduce((sum, loss, k) => sum + loss * row.p[k], 0);
}

function lineText(shown) {
  const words = shown.line.slice(1).map((step) => step.words || "hidden moves");
  return words.length ? `after ${words.join(", ")}` : "at the start";
}

function keys(event, shown, app, link, tables, ways) {
  if (!shown) return false;
  if (/^[1-9]$/.test(event.key)) {
    const way = ways.querySelector(`[data-way="${event.key}"]`);
    if (way) app.go(way.getAttribute("href"));
    return Boolean(way);
  }
  if (event.key === "u" || event.key === "Backspace") {
    if (shown.line.length > 1) app.go(link(shown.line.at(-2).node));
    return true;
  }
  if (event.key === "/") {
    const search = tables.querySelector("input[type=search]") ?? ways.querySelector("input[type=search]");
    search?.focus();
    return Boolean(search);
  }
  if (["ArrowDown", "ArrowUp", "j", "k"].includes(event.key)) {
    const rows = [...tables.querySelectorAll("tr[data-row]")];
    const at = rows.indexOf(document.activeElement?.closest("tr[data-row]"));
    const down = event.key === "ArrowDown" || event.key === "j";
    const next = rows[at < 0 ? (down ? 0 : rows.length - 1) : at + (down ? 1 : -1)];
    next?.focus();
    return Boolean(next);
  }
  return false;
}
