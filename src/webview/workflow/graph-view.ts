import type { GraphNode, NodeReport } from '../../protocol/workflow.ts';
import { el, setAttribute, setText } from '../common/dom.ts';
import { icon } from '../common/icons.ts';
import { spellDuration, t } from '../common/language.ts';
import type { Layout, PlacedNode } from './layout.ts';
import { layOut, nodeSize, pathOf } from './layout.ts';
import { iconOf, typeWords, wordOf } from './words.ts';

const svgSpace = 'http://www.w3.org/2000/svg';
const none: Pick<NodeReport, 'state' | 'status'> = { state: 'queued', status: 'QUEUED' };

interface NodeView {
  readonly placed: PlacedNode;
  readonly button: HTMLButtonElement;
  readonly state: HTMLElement;
  readonly picture: HTMLElement;
}

function svg(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const arrowId = 'arrow-head';

function drawEdges({ edges, width, height }: Layout): SVGElement {
  const size = { width: String(width), height: String(height) };
  const picture = svg('svg', { class: 'edges', 'aria-hidden': 'true', ...size });
  const head = svg('marker', {
    ...{ id: arrowId, viewBox: '0 0 8 8', refX: '7', refY: '4', orient: 'auto' },
    ...{ markerWidth: '7', markerHeight: '7' },
  });
  head.append(svg('path', { d: 'M 0 0 L 8 4 L 0 8 z', class: 'arrow' }));
  const definitions = svg('defs', {});
  definitions.append(head);
  picture.append(definitions);
  for (const { points, isConditional } of edges) {
    const kind = isConditional ? 'edge conditional' : 'edge';
    picture.append(
      svg('path', { class: kind, d: pathOf(points), 'marker-end': `url(#${arrowId})` }),
    );
  }
  return picture;
}

/** The graph of a workflow: a button for each node, with its state in word, icon and colour. */
export class GraphView {
  readonly element = el('section', 'graph', { 'aria-label': t('Graph') });
  readonly #choose: (name: string | null) => void;
  readonly #views = new Map<string, NodeView>();
  #nodes: readonly GraphNode[] = [];
  #chosen: string | null = null;

  /** `choose` gets the node that was selected, or null when it was deselected. */
  constructor(choose: (name: string | null) => void) {
    this.#choose = choose;
    this.element.addEventListener('keydown', (event) => this.#move(event));
  }

  get chosen(): string | null {
    return this.#chosen;
  }

  nodeNamed(name: string): GraphNode | undefined {
    return this.#views.get(name)?.placed.node;
  }

  show(nodes: readonly GraphNode[]): void {
    if (JSON.stringify(nodes) === JSON.stringify(this.#nodes)) return;
    this.#nodes = nodes;
    this.#views.clear();
    const layout = layOut(nodes);
    const field = el('div', 'field-of-nodes');
    field.style.width = `${layout.width}px`;
    field.style.height = `${layout.height}px`;
    field.append(drawEdges(layout), ...layout.nodes.map((placed) => this.#draw(placed)));
    this.element.replaceChildren(
      ...(nodes.length > 0 ? [field] : [el('p', 'dim empty', {}, [t('No nodes to show.')])]),
    );
    if (this.#chosen !== null && !this.#views.has(this.#chosen)) this.choose(null);
    else this.#mark();
    for (const { name } of nodes) this.#tell(name, undefined);
  }

  /** All nodes are as they were before the run. */
  clear(): void {
    for (const name of this.#views.keys()) this.#tell(name, undefined);
  }

  /** False when the workflow that is shown has no such node. */
  report(report: NodeReport): boolean {
    return this.#tell(report.name, report);
  }

  choose(name: string | null): void {
    this.#chosen = name;
    this.#mark();
    this.#choose(name);
  }

  #draw(placed: PlacedNode): HTMLElement {
    const { node, at } = placed;
    const picture = el('span', 'node-picture');
    const state = el('span', 'node-state');
    const after = node.after.length > 0 ? ` ${t('after {0}', node.after.join(', '))}` : '';
    const button = el('button', 'node', { type: 'button', title: node.name }, [
      el('span', 'node-name', { dir: 'auto' }, [
        node.name,
        ...(node.isOutput ? [el('span', 'node-kind', {}, [` · ${t('output')}`])] : []),
      ]),
      ' ',
      el('span', 'node-line', {}, [picture, state]),
      el('span', 'visually-hidden', {}, [after]),
    ]);
    button.style.left = `${at.x}px`;
    button.style.top = `${at.y}px`;
    button.style.width = `${nodeSize.width}px`;
    button.style.height = `${nodeSize.height}px`;
    button.addEventListener('click', () => {
      this.choose(this.#chosen === node.name ? null : node.name);
    });
    this.#views.set(node.name, { placed, button, state, picture });
    return button;
  }

  #tell(name: string, report: NodeReport | undefined): boolean {
    const view = this.#views.get(name);
    if (view === undefined) return false;
    const { node } = view.placed;
    const { state } = report ?? none;
    const parts = [
      ...(report === undefined ? [] : [wordOf(report)]),
      ...(report?.tookMs === undefined ? [] : [spellDuration(report.tookMs)]),
      typeWords(node.type),
    ];
    view.button.className = `node ${report === undefined ? 'idle' : state}`;
    view.picture.replaceChildren(icon(report === undefined ? 'circle-large' : iconOf(state)));
    setText(view.state, parts.join(' · '));
    return true;
  }

  #mark(): void {
    const views = [...this.#views.values()];
    const stop = this.#chosen ?? views[0]?.placed.node.name;
    for (const { placed, button } of views) {
      const { name } = placed.node;
      setAttribute(button, 'aria-pressed', String(name === this.#chosen));
      button.tabIndex = name === stop ? 0 : -1;
    }
  }

  /** Arrows move about the graph; one node is a tab stop. */
  #move(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const views = [...this.#views.values()];
    const from = views.find(({ button }) => button === document.activeElement)?.placed;
    if (from === undefined) return;
    const goal = this.#goalOf(event.key, from);
    if (goal === undefined) return;
    event.preventDefault();
    for (const { placed, button } of views) {
      button.tabIndex = placed === goal ? 0 : -1;
      if (placed === goal) button.focus();
    }
  }

  #goalOf(key: string, from: PlacedNode): PlacedNode | undefined {
    const all = [...this.#views.values()].map(({ placed }) => placed);
    const inRow = (row: number): readonly PlacedNode[] => all.filter((one) => one.row === row);
    const nearest = (row: number): PlacedNode | undefined =>
      [...inRow(row)].sort(
        (a, b) => Math.abs(a.at.x - from.at.x) - Math.abs(b.at.x - from.at.x),
      )[0];
    switch (key) {
      case 'ArrowLeft':
        return inRow(from.row).find(({ place }) => place === from.place - 1);
      case 'ArrowRight':
        return inRow(from.row).find(({ place }) => place === from.place + 1);
      case 'ArrowUp':
        return nearest(from.row - 1);
      case 'ArrowDown':
        return nearest(from.row + 1);
      case 'Home':
        return all[0];
      case 'End':
        return all.at(-1);
      default:
        return undefined;
    }
  }
}
