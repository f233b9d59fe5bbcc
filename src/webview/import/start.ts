import type { ImportNews, ImportRequests, ImportState, ImportView } from '../../protocol/import.ts';
import { el } from '../common/dom.ts';
import { openFrame, unknownMessage } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { ImportForm } from './form.ts';
import { asCount, asFault, asLook, asView, requestIn } from './guards.ts';

/** Puts the page of an import into the page and connects it. The returned function ends it. */
export function startImport(page: Page): () => void {
  const { root, state } = page;
  let form: ImportForm | undefined;
  const { channel, problems, signal, open, end, fail } = openFrame<ImportRequests, ImportNews>(
    page,
    {
      handlers: {},
      listeners: { counted: (count) => form?.count(count) },
      check: (_kind, name, payload) => {
        if (name !== 'counted') throw unknownMessage('The form', name);
        return asCount(payload);
      },
    },
  );
  const body = el('div', 'body');
  root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  function show(view: ImportView): void {
    form = new ImportForm({
      ...{ view, problems, signal, fail },
      kept: requestIn(state.get(), view) ?? undefined,
      look: async (asked) => asLook(await channel.request('look', asked)),
      save: async (request) => asFault(await channel.request('save', request)),
      cancel: () => void channel.request('cancel', null).catch(fail),
      keep: (importRequest) =>
        state.set({ formId: view.formId, importRequest } satisfies ImportState),
    });
    body.replaceChildren(
      el('header', 'head', {}, [...headParts(t('Import {0}', view.fileName), view.connection)]),
      form.element,
    );
    form.begin();
  }

  open(async () => asView(await channel.request('ready', null)), show);
  return end;
}
