import type { UnsavedCounts, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import { button } from '../../common/buttons.ts';
import { t, spellNumber } from '../../common/language.ts';
import { shortened } from '../../common/shortened.ts';
import { strip } from './strip.ts';

export interface AttentionActions {
  readonly columnTitle: (columnId: string) => string;
  readonly rowName: (edit: UnsavedEdit) => string;
  readonly goTo: (edit: UnsavedEdit) => void;
  readonly resolve: (edit: UnsavedEdit, keep: 'mine' | 'theirs') => void;
  readonly resolveAll: (state: 'conflict' | 'refused', keep: 'mine' | 'theirs') => void;
  readonly editAgain: (edit: UnsavedEdit) => void;
  /** Of all edits: those at hand are the first of very many. */
  readonly counts: UnsavedCounts | undefined;
}

const short = (text: string): string => shortened(text, 60);
const choice = (label: string, run: () => void): HTMLElement =>
  button({ label, look: 'secondary', run });

function reasonOf(edit: UnsavedEdit, { columnTitle, rowName }: AttentionActions): string {
  const where = `${columnTitle(edit.columnId)}, ${rowName(edit)}`;
  if (edit.state !== 'conflict') {
    return t('{0}: your text was not accepted. {1}', where, edit.message ?? '');
  }
  return t(
    '{0}: someone changed this cell to “{1}” while you typed “{2}”.',
    where,
    short(edit.current ?? ''),
    short(edit.text ?? 'null'),
  );
}

function choicesOf(edit: UnsavedEdit, actions: AttentionActions): readonly HTMLElement[] {
  const { resolve, editAgain } = actions;
  return edit.state === 'conflict'
    ? [
        choice(t('Keep mine'), () => resolve(edit, 'mine')),
        choice(t('Use theirs'), () => resolve(edit, 'theirs')),
      ]
    : [
        choice(t('Edit again'), () => editAgain(edit)),
        choice(t('Discard'), () => resolve(edit, 'theirs')),
      ];
}

function choicesForAll(
  state: UnsavedEdit['state'],
  { resolveAll }: AttentionActions,
): readonly HTMLElement[] {
  if (state === 'conflict') {
    return [
      choice(t('Keep all mine'), () => resolveAll(state, 'mine')),
      choice(t('Use all theirs'), () => resolveAll(state, 'theirs')),
    ];
  }
  return state === 'refused'
    ? [
        choice(t('Retry all'), () => resolveAll(state, 'mine')),
        choice(t('Discard all'), () => resolveAll(state, 'theirs')),
      ]
    : [];
}

/** The first edit that needs the user, with the choices it has; nothing where none does. */
export function attentionStrips(
  edits: readonly UnsavedEdit[],
  actions: AttentionActions,
): readonly HTMLElement[] {
  const open = edits.filter(({ state }) => state === 'conflict' || state === 'refused');
  const [edit] = open;
  if (edit === undefined) return [];
  const { counts, goTo } = actions;
  const all = Math.max(open.length, (counts?.conflict ?? 0) + (counts?.refused ?? 0));
  const more = all > 1 ? [t('{0} cells are not saved; this is the first.', spellNumber(all))] : [];
  return [
    strip('warning', [...more, reasonOf(edit, actions)].join(' '), [
      ...choicesOf(edit, actions),
      choice(t('Show cell'), () => goTo(edit)),
      ...(all > 1 ? choicesForAll(edit.state, actions) : []),
    ]),
  ];
}
