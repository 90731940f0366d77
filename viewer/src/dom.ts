// SPDX-License-Identifier: Apache-2.0
// Elements without innerHTML. Every word of a scenario reaches the page as a text node, so nothing
// written in a scenario can become markup.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/**
 * An element with attributes, listeners (`onclick: fn`), properties that are no attributes
 * (`value`, `checked`, …) and children.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'value' || key === 'checked') Object.assign(node, { [key]: value });
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return node;
}

/** The same for SVG, which lives in its own namespace. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(props)) {
    if (value !== undefined) node.setAttribute(key, String(value));
  }
  node.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return node;
}

export function button(text: string, title: string, pressed: () => void): HTMLButtonElement {
  return el('button', { type: 'button', title, 'aria-label': title, onclick: pressed }, text);
}

/** A labelled tick box that calls back with its new state. */
export function toggle(text: string, on: boolean, changed: (on: boolean) => void): HTMLLabelElement {
  const box = el('input', { type: 'checkbox', checked: on });
  box.addEventListener('change', () => changed(box.checked));
  return el('label', { class: 'toggle' }, box, text);
}

/** A drop-down of [value, text] pairs that calls back with the chosen value. */
export function menu(
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
  changed: (value: string) => void,
): HTMLSelectElement {
  const list = el('select', { 'aria-label': label, title: label });
  for (const [value, text] of options) list.append(el('option', { value }, text));
  list.value = chosen;
  list.addEventListener('change', () => changed(list.value));
  return list;
}

/** A text that has not changed must not make the browser lay out. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Four corners, for "the whole screen": not every font has a sign for it. */
export function corners(): SVGSVGElement {
  return svg('svg', { viewBox: '0 0 16 16', width: 14, height: 14, 'aria-hidden': 'true' },
    svg('path', { d: 'M1 6V1h5M10 1h5v5M15 10v5h-5M6 15H1v-5', fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }));
}
