// A strategy, node by node: the line so far, tables of private states by actions, and ways on.

import { choice, fill, h, say, tick } from "./dom.js";
import { ask, askPatiently, isSaved, pause } from "./data.js";
import { color, percent, small, whole, worth } from "./format.js";

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
  const head = h("div", { class: "strategy-head" });
  const crumbs = h("nav", { class: "crumbs", "aria-label": "Line so far" });
  const ways = h("section", { class: "panel ways", "aria-label": "Go on" });
  const tables = h("div", {});
  let facts = null;
  let shown = null;
  let version = source.version;
  let gone = false;
  let following = false;

  const stack = h("div", { class: "stack" }, head, crumbs, ways, tables);
  fill(place, h("h1", { class: "sr" }, beside ? "Comparison" : "Strategy"), beside ? h("div", { class: "split" }, stack, beside) : stack);

  async function load() {
    const wanted = node;
    try {
      const now = app.source(source.id).version;
      if (!facts?.complete || version !== now) facts = await askPatiently(`strategies/${source.id}`, {}, wait);
      const found = await askPatiently(`nodes/${source.id}/${wanted ?? facts.start}`, query(), wait);
      if (gone || wanted !== node) return;
      version = now;
      shown = found;
      draw();
      if (!facts.complete || shown.tables.some((table) => !table.complete)) follow();
      say(`${lineText(shown)}. ${shown.tables.map((table) => `${table.player_name}, ${table.total} private states`).join("; ")}`);
    } catch (error) {
      if (!gone) fill(tables, h("p", { class: "error panel" }, error.message));
    }
  }

  // Probabilities are there first; when the rest is, all is shown once more.
  async function follow() {
    if (following) return;
    following = true;
    do await pause(150);
    while (!gone && !(await ask(`strategies/${source.id}`).catch(() => facts)).complete);
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

  async function reload(block) {
    try {
      const table = await askPatiently(`tables/${source.id}/${block}`, query(block));
      const at = shown.tables.findIndex((each) => each.block === block);
      if (at < 0) shown.tables.push(table);
      else shown.tables[at] = table;
      if (!gone) draw(block);
    } catch (error) {
      app.complain(error);
    }
  }

  function draw(only) {
    if (only === undefined) {
      drawHead();
      drawCrumbs();
      drawWays(shown);
      fill(tables, shown.tables.map(box), shown.more_tables.map((each) => h("button", { type: "button", class: "more", onclick: (event) => {
        event.target.remove();
        shown.more_tables = shown.more_tables.filter((one) => one !== each);
        reload(each.block);
      } }, `${each.player_name}: more private states with another number of actions`)));
      return;
    }
    const old = tables.querySelector(`[data-block="${only}"]`);
    const table = shown.tables.find((each) => each.block === only);
    const focus = document.activeElement?.dataset?.focus;
    const caret = document.activeElement?.selectionStart;
    const made = box(table);
    if (old) old.replaceWith(made);
    else tables.append(made);
    const again = focus && made.querySelector(`[data-focus="${CSS.escape(focus)}"]`);
    if (again) {
      again.focus();
      if (caret !== null && caret !== undefined && again.setSelectionRange) again.setSelectionRange(caret, caret);
    }
  }

  function drawHead() {
    const options = [["loss", "what each action loses"], ["value", "what each action is worth"], ["none", "probabilities only"]];
    fill(
      head,
      h("div", { class: "title" },
        h("h2", {}, beside ? "Side by side" : source.title),
        h("p", { class: "hint" }, h("span", { class: "game", title: facts.game }, source.kind === "run" ? source.game : facts.game), facts.iteration ? ` · after iteration ${whole(facts.iteration)}` : "", ` · ${whole(facts.information_sets)} information set${facts.information_sets === 1 ? "" : "s"}`)),
      h("div", { class: "controls" },
        !beside && app.sources.length > 1 && choice("Strategy of", app.sources.map((each) => [each.id, each.title]), source.id, (value) => app.go(`#/strategy/${value}/${shown.node}`), { id: "source" }),
        facts.has_values && !beside && choice("Show", options, chosen.detail, (value) => {
          chosen.detail = value;
          draw();
        }, { id: "detail" }),
        tick("only what is reached", chosen.reached, (on) => {
          chosen.reached = on;
          views.clear();
          load();
        }, { id: "reached" })),
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
    found.branches.forEach((branch, k) => {
      const key = branch.moves.map((move) => `${move.table}:${move.action}`).join(" ");
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push([branch, k]);
    });
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
          branches.map(([branch, k]) => h("a", { class: "chip", href: link(branch.node), "data-way": k },
            k < 9 && found.branches_offset === 0 ? h("kbd", { "aria-hidden": "true" }, k + 1) : null,
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
    const view = views.get(table.block) ?? {};
    const change = (more) => {
      views.set(table.block, { ...view, offset: 0, ...more });
      reload(table.block);
    };
    const many = table.total > 12;
    return h("section", { class: "panel tablebox", "data-block": table.block, "aria-label": table.player_name },
      h("header", {},
        h("h3", {}, h("span", { class: `player p${table.player}` }, table.player_name), h("span", { class: "hint" }, ` ${whole(table.total)} private state${table.total === 1 ? "" : "s"}`)),
        many && h("div", { class: "controls" },
          h("input", { type: "search", class: "search", placeholder: "search", "aria-label": "Search private states", value: view.search ?? "", "data-focus": `search${table.block}`, oninput: debounced((event) => change({ search: event.target.value })) }),
          !isSaved && choice("Group", [["", "not at all"], ["play", "by what they do"], ["word", "by their first word"]], view.group ?? "", (value) => change({ group: value, only: "" })))),
      table.groups.length ? groupTable(table, view, change) : null,
      wide(table) ? tall(table) : grid(table, view, change),
      pager(table, change));
  }

  // One private state with many actions reads better as a list of them.
  function wide(table) {
    return table.total === 1 && table.actions.length > 8 && !table.rows[0]?.other;
  }

  function tall(table) {
    const row = table.rows[0];
    if (!row) return h("p", { class: "empty" }, "Nothing here is reached.");
    const order = row.p.map((_, k) => k).sort((a, b) => row.p[b] - row.p[a] || a - b);
    return h("div", { class: "scroll" }, h("table", { class: "strategy" },
      h("caption", {}, row.label),
      h("thead", {}, h("tr", {}, ["Action", "Probability, %", row.value && "Value", row.loss && "Loses"].filter(Boolean).map((name, k) => h("th", { scope: "col", class: k > 1 ? "n" : null }, name)))),
      h("tbody", {}, order.map((k) => h("tr", {},
        h("th", { scope: "row" }, table.actions[k]),
        h("td", {}, bar(row.p[k], k), h("span", { class: "num" }, percent(row.p[k]))),
        row.value && h("td", { class: "n" }, worth(row.value[k])),
        row.loss && h("td", { class: "n" }, worth(row.loss[k])))))));
  }

  function sorter(table, view, change, key, text, title) {
    const on = (view.sort ?? "") === key;
    const down = on && view.descending;
    return h("button", { type: "button", class: "sort", title, "data-focus": `sort${table.block}${key}`, onclick: () => change(on && !down ? { sort: key, descending: true } : on ? { sort: "", descending: false } : { sort: key, descending: false }) },
      text, h("span", { class: "arrow", "aria-hidden": "true" }, on ? (down ? "▾" : "▴") : ""));
  }

  function grid(table, view, change) {
    const valued = !table.complete || table.rows.some((row) => row.ev !== undefined);
    const compared = table.rows.some((row) => row.other);
    const sorted = (key) => ((view.sort ?? "") === key ? (view.descending ? "descending" : "ascending") : null);
    const header = (key, text, title, more) => h("th", { scope: "col", "aria-sort": sorted(key), ...more }, sorter(table, view, change, key, text, title));
    return h("div", { class: "scroll" }, h("table", { class: "strategy" },
      h("caption", { class: "sr" }, `${table.player_name}, ${lineText(shown)}: probabilities of actions in percent`),
      h("thead", {}, h("tr", {},
        header("label", "Private state"),
        h("th", { scope: "col", class: "mixhead" }, "Plays"),
        table.actions.map((name, k) => header(`action${k}`, [h("span", { class: "swatch", style: { background: color(k) } }), h("span", { class: "name" }, name)], `sort by ${name}`, { class: "n" })),
        compared && header("difference", "Differs", "share of plays that differ, in percent", { class: "n" }),
        valued && header("value", "Value", "what its player wins on average from here", { class: "n" }),
        header("reach", "Reached", "how likely it is when both follow the strategy", { class: "n" }))),
      h("tbody", {},
        table.rows.length ? table.rows.map((row) => line(table, row, valued, compared)) : h("tr", {}, h("td", { colspan: table.actions.length + 5, class: "empty" }, "Nothing matches.")),
      ),
      table.total > 1 && table.all.p && h("tfoot", {}, h("tr", {},
        h("th", { scope: "row" }, "all together"),
        h("td", {}, mix(table.all.p, table.actions), compared && table.all_other?.p && mix(table.all_other.p, table.actions)),
        table.all.p.map((p, k) => h("td", { class: "n" }, percent(p), h("span", { class: "unit" }, " %"), compared && table.all_other?.p && h("div", { class: "second" }, percent(table.all_other.p[k])))),
        compared && h("td", {}),
        valued && h("td", { class: "n" }, worth(table.all.ev), compared && table.all_other && h("div", { class: "second" }, worth(table.all_other.ev))),
        h("td", { class: "n" }, percent(table.all.weight), h("span", { class: "unit" }, " %"))))));
  }

  function line(table, row, valued, compared) {
    const names = row.actions ?? table.actions;
    const weight = row.own_reach * (row.reach ?? 1);
    const cuts = row.cuts ?? {};
    const apart = compared ? row.other.p.reduce((sum, p, k) => sum + Math.abs(p - row.p[k]) / 2, 0) : 0;
    const titles = `its player comes with ${percent(row.own_reach)} %${row.reach === undefined ? "" : `, chance and the opponent with ${percent(row.reach)} %`}`;
    return h("tr", { class: [weight > 0 ? "" : "dim", row.behind ? "behind" : ""].join(" ").trim() || null, tabindex: -1, "data-row": `${row.block}:${row.lane}` },
      h("th", { scope: "row" }, named(row), row.behind && h("span", { class: "badge", title: "behind an action that its player has cut" }, "behind a cut"), weight > 0 ? null : h("span", { class: "sr" }, " never reached")),
      h("td", {}, mix(row.p, names), compared && mix(row.other.p, names)),
      row.p.map((p, k) => cell(table, row, names, cuts[k], p, k, compared)),
      compared && h("td", { class: "n differs", style: { "--apart": apart } }, percent(apart), h("span", { class: "unit" }, " %")),
      valued && h("td", { class: "n" }, table.complete ? worth(row.ev) : "…", compared && h("div", { class: "second" }, worth(row.other.ev))),
      table.complete ? h("td", { class: "n", title: titles }, percent(weight), h("span", { class: "unit" }, " %")) : h("td", { class: "n" }, "…"));
  }

  function cell(table, row, names, cut, p, k, compared) {
    const away = compared ? Math.abs(p - row.other.p[k]) : 0;
    const detail = compared ? null : chosen.detail === "loss" ? row.loss : chosen.detail === "value" ? row.value : null;
    return h("td", { class: `act${cut ? " cut" : ""}${away > 0.005 ? " apart" : ""}`, style: compared ? { "--apart": away } : null },
      bar(p, k),
      h("span", { class: "num" }, row.actions ? `${names[k]} ` : "", percent(p), h("span", { class: "unit" }, " %")),
      compared && h("span", { class: "second" }, percent(row.other.p[k])),
      detail && h("span", { class: "detail" }, told(detail[k])),
      cut && h("button", { type: "button", class: "badge", "aria-expanded": "false", "data-focus": `cut${row.block}:${row.lane}:${k}`, onclick: (event) => reason(event.currentTarget, table, row, names[k], cut) }, "cut"));
  }

  function told(number) {
    if (number === null) return "never";
    if (chosen.detail === "value") return worth(number);
    return number === 0 ? "best" : `loses ${worth(number)}`;
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
      if (shown && app.source(source.id).version !== version) load();
    },
    key: (event) => keys(event, shown, app, link, tables, ways),
  };
}

function reason(button, table, row, name, cut) {
  const open = button.getAttribute("aria-expanded") === "true";
  const line = button.closest("tr");
  const next = line.nextElementSibling;
  if (next?.classList.contains("reason")) {
    line.querySelectorAll("button.badge").forEach((each) => each.setAttribute("aria-expanded", "false"));
    next.remove();
  }
  if (open) return;
  button.setAttribute("aria-expanded", "true");
  line.after(h("tr", { class: "reason" }, h("td", { colspan: line.children.length }, why(row.label, name, cut))));
  say(`${row.label}, ${name}: ${whyText(cut)}`);
}

export function whyText(cut) {
  const since = cut.since ? `cut since iteration ${whole(cut.since)}` : "cut (this method does not note since when)";
  const again = cut.again ? `Looked at again by about iteration ${whole(cut.again)}.` : "Not looked at again while the opponent stays away.";
  return `${since}. An iteration has earned ${small(cut.earned)} without it; with it, at most ${small(cut.at_most)}. ${again} Behind it: ${whole(cut.histories)} histories.`;
}

function why(label, name, cut) {
  const least = Math.min(cut.earned, cut.at_most, 0);
  const most = Math.max(cut.earned, cut.at_most, 0);
  const at = (value) => `${most > least ? (100 * (value - least)) / (most - least) : 50}%`;
  return h("div", { class: "why" },
    h("p", {}, h("strong", {}, `${label}: ${name}`), " ", whyText(cut)),
    h("div", { class: "gauge", "aria-hidden": "true" },
      h("span", { class: "mark zero", style: { left: at(0) } }, "0"),
      h("span", { class: "mark bound", style: { left: at(cut.at_most) } }, "at most"),
      h("span", { class: "mark earned", style: { left: at(cut.earned) } }, "earned")));
}

export function mix(shares, names) {
  const text = shares.map((share, k) => `${names[k] ?? ""} ${percent(share)} %`).join(", ");
  return h("div", { class: "mix", role: "img", "aria-label": text, title: text }, shares.map((share, k) => share > 0.0005 && h("span", { style: { width: `${100 * share}%`, background: color(k) } })));
}

export function bar(share, k) {
  return h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: { width: `${100 * share}%`, background: color(k) } }));
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
      h("td", { class: "n" }, percent(group.weight)))))));
}

function pager(table, change) {
  if (table.matching <= table.limit && table.offset === 0) return null;
  const end = table.offset + table.rows.length;
  return h("div", { class: "pager" },
    h("button", { type: "button", disabled: table.offset === 0, "data-focus": `before${table.block}`, onclick: () => change({ offset: Math.max(0, table.offset - table.limit) }) }, "Before"),
    h("span", {}, `${table.rows.length ? table.offset + 1 : 0}–${end} of ${whole(table.matching)}`),
    h("button", { type: "button", disabled: end >= table.matching, "data-focus": `next${table.block}`, onclick: () => change({ offset: end }) }, "Next"));
}

// What everybody has seen is the same in all rows, and stands back behind the private part.
function named(row) {
  const own = row.public ? row.label.slice(0, row.label.length - row.public.length) : row.label;
  return h("span", { class: "label" }, own, row.public && own ? h("span", { class: "public" }, row.public) : row.public);
}

function lineText(shown) {
  const words = shown.line.slice(1).map((step) => step.words || "hidden moves");
  return words.length ? `after ${words.join(", ")}` : "at the start";
}

function debounced(action) {
  let timer = 0;
  return (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(event), 150);
  };
}

function keys(event, shown, app, link, tables, ways) {
  if (!shown) return false;
  if (/^[1-9]$/.test(event.key)) {
    const way = ways.querySelector(`[data-way="${Number(event.key) - 1}"]`);
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
