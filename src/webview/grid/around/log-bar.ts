import type { GridSheet } from '../../../protocol/grid-sheet.ts';
import type { LogAction, LogPresentation } from '../../../protocol/request-log.ts';
import { asToolbar, button } from '../../common/buttons.ts';
import { el, setText } from '../../common/dom.ts';
import { t, spellNumber } from '../../common/language.ts';
import { revealOnLine } from '../../common/reveal.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import type { Bar, BarOptions } from './toolbar.ts';
import { detailsButton, moreButton, showConnection } from './toolbar.ts';

/** Above logged requests: which of them are shown, and what can be done with them. */
export class LogBar implements Bar {
  readonly element = el('div', 'log-bar');
  readonly #connection = el('span', 'connection');
  readonly #title = el('h1', 'sheet-title');
  readonly #search = el('input', 'log-search', {
    type: 'search',
    placeholder: t('Search input and output'),
    'aria-label': t('Search requests'),
    dir: 'auto',
  });
  readonly #buttons = el('div', 'buttons');
  readonly #filters = el('ul', 'log-filters', { 'aria-label': t('Filters') });
  readonly #more: HTMLButtonElement;
  readonly #all: HTMLButtonElement;
  readonly #taking: readonly HTMLButtonElement[];
  readonly #actions: GridActions;
  #shown: LogPresentation | undefined;

  constructor({ model, actions, menus }: BarOptions) {
    this.#actions = actions;
    const form = el('form', 'log-form', { role: 'search' }, [this.#search]);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      actions.search(this.#search.value.trim());
    });
    // The cross in the field, or a text that was taken out.
    this.#search.addEventListener('search', () => {
      if (this.#search.value === '' && this.#shown?.search !== '') actions.search('');
    });
    const taking = (label: string, name: string, action: LogAction): HTMLButtonElement =>
      button({ label, icon: name, run: () => actions.take(action) });
    this.#taking = [
      taking(t('Open'), 'go-to-file', 'open'),
      taking(t('Replay'), 'play', 'replay'),
      taking(t('Add to sheet'), 'table', 'import'),
    ];
    this.#more = button({
      label: t('Load more'),
      look: 'secondary',
      run: () => actions.more(false),
    });
    this.#all = button({ label: t('Load all'), run: () => actions.more(true) });
    this.#buttons.append(
      button({ label: t('Filter'), icon: 'filter', run: () => actions.filter(null) }),
      ...this.#taking,
      this.#more,
      this.#all,
      button({
        label: t('Search again'),
        icon: 'refresh',
        isIconOnly: true,
        run: actions.reload,
      }),
      detailsButton(model, actions.toggleDetails),
      moreButton(menus),
    );
    this.element.append(
      el('div', 'toolbar', {}, [
        el('div', 'identity', {}, [this.#connection, this.#title]),
        form,
        this.#buttons,
      ]),
      this.#filters,
    );
    asToolbar(this.#buttons, t('Requests'));
    model.changes.eachFrame(['sheet'], () => this.#show(model.sheet));
  }

  #show({ connection, title, log }: GridSheet): void {
    if (log === undefined) return;
    showConnection(this.#connection, connection, t('Its logged requests are shown.'));
    setText(this.#title, title);
    this.element.setAttribute('aria-busy', String(log.isLoading));
    this.#more.disabled = log.isLoading || !log.hasMore;
    const word = log.isLoadingAll ? t('Stop loading') : t('Load all');
    this.#all.title = word;
    setText(this.#all.querySelector('.button-label') ?? this.#all, word);
    this.#all.disabled = !log.isLoadingAll && (log.isLoading || !log.hasMore);
    for (const each of this.#taking) each.disabled = log.loaded === 0;
    const before = this.#shown;
    this.#shown = log;
    // What is being typed stays.
    if (before?.search !== log.search) this.#search.value = log.search;
    if (before?.filters.join('\n') !== log.filters.join('\n')) this.#showFilters(log.filters);
  }

  focus(): void {
    this.#search.focus();
  }

  #showFilters(filters: readonly string[]): void {
    const hadFocus = this.#filters.contains(document.activeElement);
    const { filter, dropFilter } = this.#actions;
    const items = filters.map((given, at) => {
      const words = revealOnLine(given).text;
      const change = button({ label: words, look: 'secondary', run: () => filter(at) });
      change.title = t('Change this filter');
      const drop = button({
        label: t('Remove the filter {0}', words),
        icon: 'close',
        isIconOnly: true,
        run: () => dropFilter(at),
      });
      return el('li', 'log-filter', {}, [change, drop]);
    });
    const all =
      filters.length > 1
        ? [
            el('li', '', {}, [
              button({ label: t('Clear all'), icon: 'clear-all', run: () => dropFilter(null) }),
            ]),
          ]
        : [];
    this.#filters.replaceChildren(...items, ...all);
    this.#filters.hidden = filters.length === 0;
    // The button that was pressed is gone: the keys must not go nowhere.
    if (hadFocus) (this.#filters.querySelector('button') ?? this.#search).focus();
  }
}

/** How many of the requests that fit are here: the log is never loaded whole by itself. */
export function spellLoaded(log: LogPresentation): string {
  const { loaded, total, hasMore, isLoading, isFull } = log;
  const here = spellNumber(loaded);
  const stillLoading = (text: string): string => (isLoading ? t('{0}, loading…', text) : text);
  if (isFull) return t('The first {0} requests; a narrower search shows others', here);
  // Where nothing could be loaded, a banner says why.
  if (loaded === 0 && hasMore) return isLoading ? t('Loading requests…') : '';
  if (total !== undefined && (hasMore || loaded < total)) {
    return stillLoading(t('{0} of {1} requests loaded', here, spellNumber(total)));
  }
  if (hasMore) return stillLoading(t('{0} requests loaded, more to come', here));
  if (isLoading && loaded === 0) return t('Loading requests…');
  if (loaded === 0) return t('No matching requests');
  return stillLoading(loaded === 1 && !isLoading ? t('1 request') : t('{0} requests', here));
}
