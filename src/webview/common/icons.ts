/** SVG texts by the names of Codicons. */
type Drawings = ReadonlyMap<string, string>;

interface IconGlobals {
  /** Where the bundle of drawings finds the page that waits for them. */
  promptTablesIcons?: (drawings: Drawings) => void;
}

const globals = globalThis as typeof globalThis & IconGlobals;
const unknownName = 'symbol-field';
const drawn = new Map<string, Element>();
let drawings: Drawings | undefined;
/** Icons that are shown already, and empty until the drawings are there. */
const waiting = new Map<SVGElement, string>();
let empty: SVGElement | undefined;

function drawingOf(name: string, all: Drawings): Element | undefined {
  const known = drawn.get(name);
  if (known !== undefined) return known;
  // Parsed as part of the page: an XML document for each would take twice as long.
  const template = document.createElement('template');
  template.innerHTML = all.get(name) ?? all.get(unknownName) ?? '';
  const svg = template.content.firstElementChild;
  if (svg !== null) drawn.set(name, svg);
  return svg ?? undefined;
}

function fill(element: SVGElement, name: string, all: Drawings): void {
  const drawing = drawingOf(name, all);
  if (drawing === undefined) return;
  element.setAttribute('viewBox', drawing.getAttribute('viewBox') ?? '0 0 16 16');
  element.replaceChildren(...drawing.cloneNode(true).childNodes);
}

/** A picture beside a word; never the only bearer of a meaning. */
export function icon(name: string): SVGElement {
  if (empty === undefined) {
    empty = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    empty.setAttribute('aria-hidden', 'true');
    empty.setAttribute('class', 'icon');
  }
  const element = empty.cloneNode(true) as SVGElement;
  if (drawings === undefined) waiting.set(element, name);
  else fill(element, name, drawings);
  return element;
}

/**
 * Loads the drawings, which all pages share. Nobody waits for them: their places are kept.
 * `script` is the page's own, which says beside what they lie.
 */
export function loadIcons(script: HTMLScriptElement, onFault: (fault: unknown) => void): void {
  globals.promptTablesIcons = (all) => {
    drawings = all;
    for (const [element, name] of waiting) fill(element, name, all);
    waiting.clear();
  };
  const loader = document.createElement('script');
  loader.src = new URL('icons.js', script.dataset['address']).href;
  loader.nonce = script.nonce;
  loader.addEventListener('error', () => {
    // None will come: none is waited for.
    waiting.clear();
    drawings = new Map();
    onFault(new Error(`The icons could not be loaded from ${loader.src}.`));
  });
  document.head.append(loader);
}

/** Gives the drawings to the page that has loaded them. */
export function handOver(all: Drawings): void {
  globals.promptTablesIcons?.(all);
}
