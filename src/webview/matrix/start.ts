import type { MatrixEvents, MatrixRequests, MatrixView } from '../../protocol/matrix.ts';
import { Announcer } from '../common/announcer.ts';
import { el, setText } from '../common/dom.ts';
import { openFrame } from '../common/frame.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { Bars, nextStep } from './bars.ts';
import { Details } from './details.ts';
import { GridView } from './grid-view.ts';
import { asView, checkIncoming } from './guards.ts';
import { MatrixModel } from './model.ts';
import { progressText } from './words.ts';

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

interface Shown {
  readonly changed: (view: MatrixView) => void;
  readonly cells: (message: MatrixEvents['cells']) => void;
}

/** Puts the comparison of many variants into the page and connects it. */
export function startMatrix(page: Page): () => void {
  const { root, state } = page;
  let shown: Shown | undefined;
  const frame = openFrame<MatrixRequests, MatrixEvents>(page, {
    handlers: {},
    listeners: {
      changed: (view) => shown?.changed(view),
      cells: (message) => shown?.cells(message),
    },
    check: checkIncoming,
  });
  const { channel, problems, signal, open, end, fail } = frame;
  const body = el('div', 'comparison');
  root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  function show(view: MatrixView): void {
    state.set(view.page);
    const model = new MatrixModel(view);
    const announcer = new Announcer(signal);
    const next = el('p', 'next dim');
    const details = new Details({ model, frame, closed: () => grid.focus() });
    const grid = new GridView(model, {
      signal,
      open: (columnId, caseId) => void details.open(columnId, caseId),
      decide: (caseId, columnId) => {
        const before = model.best(caseId) ?? null;
        model.decide(caseId, columnId);
        grid.changed([caseId]);
        channel.request('decide', { caseId, columnId }).catch((error: unknown) => {
          model.decide(caseId, before);
          grid.changed([caseId]);
          fail(error);
        });
      },
    });
    const bars = new Bars({
      ...{ model, frame },
      toggleBlind: () => {
        model.setBlind(!model.isBlind, shuffled);
        details.forget();
        drawAll();
        announcer.say(model.isBlind ? t('Names are hidden.') : t('Names are shown.'));
      },
    });
    const drawAll = (): void => {
      const step = nextStep(model.view);
      next.hidden = step === undefined;
      setText(next, step ?? '');
      bars.draw();
      grid.draw();
    };
    body.replaceChildren(
      ...[bars.head, bars.tools, bars.plan, next, grid.element, details.element],
      ...[bars.status, announcer.element],
    );
    shown = {
      changed: (changed) => {
        model.show(changed);
        details.forget();
        drawAll();
      },
      cells: (message) => {
        const wasRunning = model.view.progress.isRunning;
        model.take(message);
        grid.changed(message.cells.map(({ caseId }) => caseId));
        bars.drawProgress();
        if (wasRunning && !message.progress.isRunning)
          announcer.say(progressText(message.progress));
      },
    };
    bars.begin();
    drawAll();
  }

  open(async () => asView(await channel.request('ready', null)), show);
  return end;
}
