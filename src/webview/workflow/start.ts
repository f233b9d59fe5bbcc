import type {
  WorkflowHostEvents,
  WorkflowHostRequests,
  WorkflowViewEvents,
  WorkflowViewRequests,
} from '../../protocol/workflow.ts';
import { openFrame } from '../common/frame.ts';
import type { Page } from '../common/page.ts';
import { asView, checkIncoming } from './guards.ts';
import { WorkflowView } from './workflow-view.ts';

/** Puts the workflow panel into the page and connects it. The returned function ends it. */
export function startWorkflowPanel(page: Page): () => void {
  const frame = openFrame<
    WorkflowHostRequests,
    WorkflowViewEvents,
    WorkflowHostEvents,
    WorkflowViewRequests
  >(page, {
    handlers: {
      start: () => {
        view.begin();
        return null;
      },
    },
    listeners: {
      workflow: (reported) => view.showWorkflow(reported),
      started: (now) => view.started(now),
      progress: (progress) => view.progress(progress),
    },
    check: checkIncoming,
  });
  const view = new WorkflowView(frame, page);
  page.root.replaceChildren(view.element);
  view.opening();
  frame.open(
    async () => asView(await frame.channel.request('ready', null)),
    (shown) => view.show(shown),
  );
  return frame.end;
}
