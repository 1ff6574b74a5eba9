// Where the numbers come from: the server, or the page itself if it was saved.

const place = document.getElementById("saved");
const saved = place ? JSON.parse(place.textContent) : null;

export const isSaved = saved !== null;

export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

export async function ask(path, query = {}) {
  if (saved) return fromPage(path, query);
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false);
  const words = new URLSearchParams(given.map(([name, value]) => [name, value === true ? "1" : String(value)]));
  const text = words.toString();
  let answer;
  try {
    answer = await fetch(`api/${path}${text ? `?${text}` : ""}`, { cache: "no-store" });
  } catch {
    throw new Refused(0, "The server does not answer. Is 'secateur explore' still running?");
  }
  const found = await answer.json().catch(() => ({ error: "The answer cannot be read." }));
  if (!answer.ok || answer.status === 202) throw new Refused(answer.status, found.error ?? `The server said ${answer.status}.`);
  return found;
}

// A strategy is opened when it is first asked for, which may take a while.
export async function askPatiently(path, query, waiting) {
  const begin = performance.now();
  for (;;) {
    try {
      return await ask(path, query);
    } catch (error) {
      if (![202, 429, 503].includes(error.status)) throw error;
      waiting?.(error.message);
      await pause(Math.min(500, 20 + (performance.now() - begin) / 20));
    }
  }
}

export function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

function fromPage(path, query) {
  const parts = path.split("/");
  const key = query.with === undefined || query.with === "" ? path : `${path}?with=${query.with}`;
  if (parts[0] === "tables") {
    const table = saved.tables[key];
    if (table) return narrowed(table, query);
  } else if (parts[0] === "cuts" && saved.answers[path]) {
    const all = saved.answers[path];
    const offset = Number(query.offset ?? 0);
    return { ...all, offset, cuts: all.cuts.slice(offset, offset + Number(query.limit ?? 20)) };
  } else if (parts[0] === "nodes" && saved.answers[key]) {
    const node = saved.answers[key];
    const suffix = key.slice(path.length);
    const tables = node.blocks.map((block) => narrowed(saved.tables[`tables/${parts[1]}/${block}${suffix}`], query));
    return { ...node, tables };
  } else if (saved.answers[key]) {
    return saved.answers[key];
  }
  throw new Refused(404, "This was not saved.");
}

// What the server does with all rows of a table, done here.
function narrowed(table, query) {
  const wanted = (query.search ?? "").toLowerCase();
  const weight = (row) => row.own_reach * (row.reach ?? 1);
  let rows = table.rows.filter((row) => row.label.toLowerCase().includes(wanted));
  if (query.reached) rows = rows.filter((row) => weight(row) > 0);
  const keys = {
    reach: weight,
    value: (row) => row.ev,
    lost: (row) => row.loss?.reduce((sum, loss, k) => sum + loss * row.p[k], 0),
    difference: (row) => row.other?.p.reduce((sum, p, k) => sum + Math.abs(p - row.p[k]) / 2, 0),
  };
  const sort = query.sort ?? "";
  if (sort === "label") rows.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
  else if (sort) {
    const key = keys[sort] ?? ((row) => row.p[Number(sort.slice(6))]);
    rows.sort((a, b) => (key(a) ?? Infinity) - (key(b) ?? Infinity));
  }
  if (query.descending) rows.reverse();
  const offset = Number(query.offset ?? 0);
  const limit = Number(query.limit ?? 50);
  return { ...table, matching: rows.length, offset, limit, groups: [], rows: rows.slice(offset, offset + limit) };
}
