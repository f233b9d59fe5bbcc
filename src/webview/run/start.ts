import type { HostEvents, HostRequests, ViewEvents, ViewRequests } from '../../protocol/run.ts';
import { openFrame } from '../common/frame.ts';
import type { Page } from '../common/page.ts';
import { asView, checkIncoming } from './guards.ts';
import { RunView } from './run-view.ts';

/** Puts the run panel into the page and connects it. The returned function ends it. */
export function startRunPanel(page: Page): () => void {
  const frame = openFrame<HostRequests, ViewEvents, HostEvents, ViewRequests>(page, {
    handlers: {
      start: () => {
        view.begin();
        return null;
      },
    },
    listeners: {
      prompt: (prompt) => view.showPrompt(prompt),
      started: (now) => view.started(now),
      progress: (progress) => view.progress(progress),
      chat: (chat) => view.chat.take(chat),
      chatTurn: (turn) => view.chat.showTurn(turn),
      chatHead: ({ head }) => view.chat.setHead(head),
      chatProgress: (progress) => view.chat.progress(progress),
      comparisonRun: (now) => view.answer.comparisonRun.show(now),
      comparisonStarted: (now) => view.answer.comparisonRun.started(now),
      comparisonProgress: (now) => view.answer.comparisonRun.progress(now),
    },
    check: checkIncoming,
  });
  const view = new RunView(frame, page);
  page.root.replaceChildren(view.element);
  view.opening();
  frame.open(
    async () => asView(await frame.channel.request('ready', null)),
    (shown) => view.take(shown),
  );
  return frame.end;
}
