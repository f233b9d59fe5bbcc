import type {
  ScorecardEvents,
  ScorecardFormView,
  ScorecardRequests,
} from '../../protocol/scorecard.ts';
import { el } from '../common/dom.ts';
import { openFrame, reportedNothing } from '../common/frame.ts';
import type { Page } from '../common/page.ts';
import { FormView } from './form-view.ts';
import { asView } from './guards.ts';

/** Puts the form of a scorecard into the page and connects it. The returned function ends it. */
export function startScorecardForm(page: Page): () => void {
  const frame = openFrame<ScorecardRequests, Record<string, never>, ScorecardEvents>(
    page,
    reportedNothing('The form'),
  );
  const { channel, problems, open, end } = frame;
  const body = el('div', 'body');
  page.root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  /** Of the form that is shown: it may be begun afresh. */
  let shown = new AbortController();

  function show(view: ScorecardFormView): void {
    shown.abort();
    shown = new AbortController();
    const form = new FormView({
      ...{ view, frame, state: page.state },
      startAfresh: () => show({ ...view, draft: null }),
      signal: AbortSignal.any([frame.signal, shown.signal]),
    });
    body.replaceChildren(...form.parts);
    form.focus();
  }

  open(async () => asView(await channel.request('ready', null)), show);
  return end;
}
