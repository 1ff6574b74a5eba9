// Elements of the page. Text is only ever set as text, so whatever a game calls its actions is
// shown and never understood.

export function h(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) made.style.setProperty(key, each);
    else if (value === true) made.setAttribute(name, "");
    else made.setAttribute(name, String(value));
  }
  append(made, children);
  return made;
}

function append(made, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child instanceof Node ? child : String(child));
  }
}

export function fill(place, ...children) {
  place.replaceChildren();
  append(place, children);
}

// Draw anew, and let whoever is typing or has chosen something there go on.
export function keepingFocus(place, redraw) {
  const active = place.contains(document.activeElement) ? document.activeElement : null;
  const focus = active?.dataset.focus;
  redraw();
  const again = focus && place.querySelector(`[data-focus="${CSS.escape(focus)}"]`);
  if (!again || again === active) return;
  again.focus({ preventScroll: true });
  if (again.type !== "search") return;
  again.value = active.value; // it may have changed since the question
  again.setSelectionRange(active.selectionStart, active.selectionEnd);
}

export function debounced(action) {
  let timer = 0;
  return (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(event), 150);
  };
}

export function say(text) {
  document.getElementById("status").textContent = text;
}

export function choice(label, options, value, change, more) {
  const select = h(
    "select",
    { onchange: (event) => change(event.target.value), ...more },
    options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)),
  );
  return h("label", { class: "field" }, h("span", {}, label), select);
}

export function tick(label, checked, change, more) {
  const box = h("input", { type: "checkbox", checked, onchange: (event) => change(event.target.checked), ...more });
  return h("label", { class: "tick" }, box, h("span", {}, label));
}
