// What stands in the cells of tables: shares as bars, and why an action is cut.

import { h } from "./dom.js";
import { color, percent, small, whole } from "./format.js";

// A segment that is thin has no edge, which would hide it.
export function mix(shares, names) {
  const text = shares.map((share, k) => `${names[k] ?? ""} ${percent(share)} %`).join(", ");
  return h("div", { class: "mix", role: "img", "aria-label": text, title: text }, shares.map((share, k) => share > 0.0005 && h("span", { class: share > 0.01 ? "edged" : null, style: { width: `${100 * share}%`, background: color(k) } })));
}

export function bar(share, k) {
  return h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: { width: `${100 * share}%`, background: color(k) } }));
}

// Show the reason of a cut below its line, or hide it; return whether it is shown.
export function reason(button, label, name, cut) {
  const open = button.getAttribute("aria-expanded") === "true";
  const line = button.closest("tr");
  const next = line.nextElementSibling;
  if (next?.classList.contains("reason")) {
    line.querySelectorAll("button.badge").forEach((each) => each.setAttribute("aria-expanded", "false"));
    next.remove();
  }
  if (open) return false;
  button.setAttribute("aria-expanded", "true");
  line.after(h("tr", { class: "reason" }, h("td", { colspan: line.children.length }, why(label, name, cut))));
  return true;
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
