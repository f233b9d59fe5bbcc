import { el } from '../../common/dom.ts';
import { t } from '../../common/language.ts';
import type { JsonNode } from './json-nodes.ts';
import { revealInPieces } from '../../common/reveal.ts';

/** Children drawn at once; the rest behind a "more" item. */
const batch = 200;

type Branch = Extract<JsonNode, { kind: 'object' | 'array' }>;

const isBranch = (node: JsonNode): node is Branch =>
  node.kind === 'object' || node.kind === 'array';

function childrenOf(node: Branch): readonly (readonly [string, JsonNode])[] {
  return node.kind === 'object'
    ? node.entries
    : node.items.map((item, index) => [String(index), item] as const);
}

/** A text with signs in place of what cannot be seen. */
export function revealed(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of revealInPieces(text)) {
    fragment.append(piece.isSign ? el('span', 'sign', {}, [piece.text]) : piece.text);
  }
  return fragment;
}

function summary(node: Branch): string {
  const count = childrenOf(node).length;
  if (node.kind === 'array') return `[${count === 1 ? t('1 item') : t('{0} items', count)}]`;
  return `{${count === 1 ? t('1 key') : t('{0} keys', count)}}`;
}

/** A collapsible tree of a JSON value, usable by keyboard alone. */
export function jsonTree(root: JsonNode): HTMLElement {
  const tree = el('ul', 'json-tree', { role: 'tree', 'aria-label': t('Value as JSON') });
  tree.append(makeItem(undefined, root, 1));
  const first = tree.querySelector<HTMLElement>('[role=treeitem]');
  if (first) first.tabIndex = 0;
  tree.addEventListener('keydown', (event) => pressed(tree, event));
  tree.addEventListener('click', ({ target }) => {
    const item = target instanceof Element ? target.closest<HTMLElement>('[role=treeitem]') : null;
    if (item === null) return;
    if (target instanceof Element && target.closest('.json-line')) toggle(item);
    focus(tree, item);
  });
  return tree;
}

const unfold = new WeakMap<HTMLElement, () => void>();

function makeItem(key: string | undefined, node: JsonNode, level: number): HTMLElement {
  const line = el('span', 'json-line');
  const item = el(
    'li',
    'json-item',
    { role: 'treeitem', tabindex: '-1', 'aria-level': String(level) },
    [line],
  );
  if (key !== undefined)
    line.append(el('span', 'json-key', { dir: 'auto' }, [revealed(key)]), ': ');
  if (!isBranch(node)) {
    const value = el('span', `json-value json-${node.kind}`, { dir: 'auto' });
    value.append(revealed(node.kind === 'string' ? JSON.stringify(node.text) : node.text));
    line.append(value);
    return item;
  }
  line.classList.add('json-branch');
  line.append(el('span', 'json-summary', {}, [summary(node)]));
  const group = el('ul', '', { role: 'group' });
  item.append(group);
  unfold.set(item, () => {
    unfold.delete(item);
    addChildren(group, node, { from: 0, level: level + 1 });
  });
  setOpen(item, level < 3);
  return item;
}

function addChildren(group: HTMLElement, node: Branch, at: { from: number; level: number }): void {
  const children = childrenOf(node);
  const end = Math.min(children.length, at.from + batch);
  for (const [key, child] of children.slice(at.from, end))
    group.append(makeItem(key, child, at.level));
  if (end >= children.length) return;
  const more = el(
    'li',
    'json-item json-more',
    { role: 'treeitem', tabindex: '-1', 'aria-level': String(at.level) },
    [
      el('span', 'json-line', {}, [
        t('Show {0} more of {1}', Math.min(batch, children.length - end), children.length),
      ]),
    ],
  );
  unfold.set(more, () => {
    unfold.delete(more);
    addChildren(group, node, { from: end, level: at.level });
    const next = more.nextElementSibling;
    if (next instanceof HTMLElement && more === document.activeElement) next.focus();
    more.remove();
  });
  group.append(more);
}

function setOpen(item: HTMLElement, isOpen: boolean): void {
  item.setAttribute('aria-expanded', String(isOpen));
  if (isOpen) unfold.get(item)?.();
}

function toggle(item: HTMLElement): void {
  const state = item.getAttribute('aria-expanded');
  if (state === null) unfold.get(item)?.();
  else setOpen(item, state === 'false');
}

function focus(tree: HTMLElement, item: HTMLElement): void {
  for (const other of tree.querySelectorAll<HTMLElement>('[tabindex="0"]')) other.tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}

function visibleItems(tree: HTMLElement): readonly HTMLElement[] {
  return [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')].filter(
    (item) => item.parentElement?.closest('[aria-expanded="false"]') === null,
  );
}

function pressed(tree: HTMLElement, event: KeyboardEvent): void {
  const item = document.activeElement;
  if (!(item instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = visibleItems(tree);
  const at = items.indexOf(item);
  const state = item.getAttribute('aria-expanded');
  const goTo = (target: HTMLElement | null | undefined): void => {
    if (target) focus(tree, target);
  };
  if (event.key === 'ArrowDown') goTo(items[at + 1]);
  else if (event.key === 'ArrowUp') goTo(items[at - 1]);
  else if (event.key === 'Home') goTo(items[0]);
  else if (event.key === 'End') goTo(items.at(-1));
  else if (event.key === 'Enter' || event.key === ' ') toggle(item);
  else if (event.key === 'ArrowRight') {
    if (state === 'false') setOpen(item, true);
    else if (state === 'true') goTo(items[at + 1]);
  } else if (event.key === 'ArrowLeft') {
    if (state === 'true') setOpen(item, false);
    else goTo(item.parentElement?.closest<HTMLElement>('[role=treeitem]'));
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
