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
