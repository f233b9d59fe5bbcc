import { visible } from '../../protocol/visible.ts';
import { button } from './buttons.ts';
import { el } from './dom.ts';
import { icon } from './icons.ts';
import { t } from './language.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface HeadPresentation {
  /** Which version was asked for, in words. */
  readonly choice: string;
  readonly version?: number;
  readonly model?: string;
  readonly connection: Place;
  readonly isCached?: boolean;
}

interface Place {
  readonly name: string;
  readonly local: boolean;
}

const placeChip = ({ name, local }: Place): HTMLElement =>
  el('span', 'chip', { title: t('Workspace') }, [
    icon(local ? 'vm' : 'cloud'),
    el('span', 'chip-text', {}, [visible(name)]),
  ]);

const cacheChip = (): HTMLElement =>
  el(
    'span',
    'chip',
    { title: t('The service could not be reached; this is the copy in memory.') },
    [icon('database'), el('span', 'chip-text', {}, [t('From the cache')])],
  );

/** What a page is about, on which workspace. */
export const headParts = (title: string, place: Place): readonly HTMLElement[] => [
  el('h1', 'title', { dir: 'auto' }, [visible(title)]),
  placeChip(place),
];

/** Which prompt or workflow, which version of it, on which workspace. */
export class Head {
  readonly element = el('header', 'head');
  readonly #choose: () => void;

  constructor(choose: () => void) {
    this.#choose = choose;
  }

  show(name: string, presentation: HeadPresentation | null): void {
    const shown = visible(name);
    const title = el('h1', 'title', { dir: 'auto', title: shown }, [shown]);
    if (presentation === null) {
      this.element.replaceChildren(title);
      return;
    }
    const { choice, version, model, connection, isCached = false } = presentation;
    // "Latest version" says nothing of which one that is.
    const number = version === undefined || choice.endsWith(` ${version}`) ? '' : ` (${version})`;
    const change = button({
      label: visible(`${capital(choice)}${number}`),
      icon: 'git-branch',
      look: 'secondary',
      run: this.#choose,
    });
    change.title = t('Select another version or label');
    this.element.replaceChildren(
      title,
      change,
      ...(model === undefined
        ? []
        : [el('span', 'model', { title: t('Model') }, [visible(model)])]),
      ...(isCached ? [cacheChip()] : []),
      placeChip(connection),
    );
  }
}
