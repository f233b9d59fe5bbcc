import type { GraphNode, NodeReport, NodeValue } from '../../protocol/workflow.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { icon } from '../common/icons.ts';
import { spellNumber, spellDuration, t } from '../common/language.ts';
import { TextFlow } from '../common/text-flow.ts';
import { iconOf, typeWords, wordOf } from './words.ts';

export interface ResultOptions {
  readonly copy: (node: string | null) => void;
  readonly open: (node: string | null) => void;
  /** Back to the final output. */
  readonly showFinal: () => void;
}

function valueElement({ kind, text, leftOut }: NodeValue): readonly HTMLElement[] {
  const flow = new TextFlow({ fences: kind === 'text' });
  flow.add(text);
  flow.end();
  if (kind === 'json') flow.element.classList.add('boxed');
  const more = t('{0} more characters: open the output as a document.', spellNumber(leftOut));
  return leftOut === 0 ? [flow.element] : [flow.element, el('p', 'dim', {}, [more])];
}

/** A node that was skipped has a reason, not an error. */
function errorElements({ state, error, rawError, warning }: NodeReport): readonly HTMLElement[] {
  const shown =
    error === undefined
      ? warning === undefined
        ? []
        : [
            el('p', 'node-warning', { dir: 'auto' }, [
              icon('warning'),
              el('span', '', {}, [warning]),
            ]),
          ]
      : state === 'skipped'
        ? [el('p', 'node-reason', { dir: 'auto' }, [error])]
        : [el('p', 'node-error', { dir: 'auto' }, [icon('error'), el('span', '', {}, [error])])];
  if (rawError === undefined) return shown;
  const raw = new TextFlow({ fences: false });
  raw.add(rawError);
  raw.end();
  raw.element.classList.add('boxed');
  return [
    ...shown,
    el('details', 'raw-error', {}, [el('summary', '', {}, [t('Raw error')]), raw.element]),
  ];
}

/** The final output of a workflow, or what one of its nodes has done. */
export class ResultView {
  readonly element = el('section', 'output', { 'aria-label': t('Output'), tabindex: '0' });
  readonly head: HTMLElement;
  readonly #title = el('h2', 'result-title', { dir: 'auto' });
  readonly #back: HTMLButtonElement;
  readonly #tools: readonly HTMLButtonElement[];
  #node: string | null = null;

  constructor({ copy, open, showFinal }: ResultOptions) {
    this.#back = button({ label: t('Show final output'), icon: 'output', run: showFinal });
    this.#tools = [
      button({
        label: t('Copy output'),
        icon: 'copy',
        isIconOnly: true,
        run: () => copy(this.#node),
      }),
      button({
        label: t('Open output as document'),
        icon: 'go-to-file',
        isIconOnly: true,
        run: () => open(this.#node),
      }),
    ];
    this.head = el('div', 'result-head', {}, [
      this.#title,
      el('div', 'buttons', {}, [this.#back, ...this.#tools]),
    ]);
  }

  showFinal(value: NodeValue | undefined, otherwise: string): void {
    this.#begin(null, t('Final output'));
    this.#enable(value !== undefined);
    this.element.replaceChildren(
      ...(value === undefined ? [el('p', 'dim empty', {}, [otherwise])] : valueElement(value)),
    );
  }

  showNode(node: GraphNode, report: NodeReport | undefined): void {
    this.#begin(node.name, node.name);
    this.#enable(report?.value !== undefined);
    const { after, onlyIf } = node;
    const state =
      report === undefined
        ? [t('Not run')]
        : [
            el('span', `state-word ${report.state}`, {}, [
              icon(iconOf(report.state)),
              wordOf(report),
            ]),
          ];
    const facts: readonly (string | Node)[] = [
      ...state,
      ...(report?.tookMs === undefined ? [] : [spellDuration(report.tookMs)]),
      typeWords(node.type),
      ...(node.isOutput ? [t('output node')] : []),
      ...(after.length > 0 ? [t('after {0}', after.join(', '))] : []),
      ...(onlyIf.length > 0 ? [t('only if the conditions on {0} hold', onlyIf.join(', '))] : []),
    ];
    const line = el('p', 'node-facts', { dir: 'auto' });
    for (const [at, fact] of facts.entries()) line.append(...(at === 0 ? [fact] : [' · ', fact]));
    const value = report?.value;
    this.element.replaceChildren(
      line,
      ...(report === undefined ? [] : errorElements(report)),
      ...(value === undefined ? [] : valueElement(value)),
    );
  }

  #begin(node: string | null, title: string): void {
    const isOther = node !== this.#node;
    this.#node = node;
    this.#title.textContent = title;
    this.#back.hidden = node === null;
    if (isOther) this.element.scrollTop = 0;
  }

  #enable(hasValue: boolean): void {
    for (const tool of this.#tools) tool.disabled = !hasValue;
  }
}
