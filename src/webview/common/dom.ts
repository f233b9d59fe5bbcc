/** Small ways to make elements. Texts are always set as text, styles only through CSSOM. */

type Attributes = Readonly<Record<string, string | undefined>>;
type Child = Node | string;

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  attributes: Attributes = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A listener that ends with `signal`, so that nothing outlives its owner. */
export function on<Name extends keyof HTMLElementEventMap>(
  target: HTMLElement,
  name: Name,
  listener: (event: HTMLElementEventMap[Name]) => void,
  options: AddEventListenerOptions = {},
): void {
  target.addEventListener(name, listener, options);
}
