// Names of private states: what tells them apart stands out from what they have in common.

import { h } from "./dom.js";

const PARTS = /[[\]]|\s+|[^\s[\]]+/g;

// How many characters at the start and at the end are the same in all rows.
export function commonEnds(rows) {
  if (rows.length < 2) return [0, 0];
  const all = rows.map((row) => row.label.match(PARTS) ?? []);
  const [first, ...others] = all;
  const least = Math.min(...all.map((parts) => parts.length)) - 1; // each keeps one that is its own
  let start = 0;
  while (start < least && others.every((parts) => parts[start] === first[start])) start += 1;
  let end = 0;
  while (end < least - start && others.every((parts) => parts.at(-1 - end) === first.at(-1 - end))) end += 1;
  const length = (parts) => parts.join("").length;
  return [length(first.slice(0, start)), length(first.slice(first.length - end))];
}

// What everybody has seen stands back as well.
export function named({ label, public: seen }, [start, end]) {
  const own = label.length - start;
  const back = seen && seen.length < own ? Math.max(end, seen.length) : end;
  const part = (from, to) => from < to && h("span", { class: "public" }, label.slice(from, to));
  return h("span", { class: "label" }, part(0, start), label.slice(start, label.length - back), part(label.length - back, label.length));
}
