import { openChannel, type Channel, type Listeners, type Port } from '../../protocol/channel.ts';
import type {
  WorkflowHostEvents,
  WorkflowHostRequests,
  WorkflowPanelView,
  WorkflowViewEvents,
  WorkflowViewRequests,
} from '../../protocol/workflow.ts';
import { explain } from '../common/explain.ts';
import { asView, checkIncoming } from './guards.ts';

/** The extension, as the panel sees it: its answers are checked before anything uses them. */
export interface Host {
  ready(): Promise<WorkflowPanelView>;
  readonly ask: Channel<WorkflowHostRequests, WorkflowHostEvents>['request'];
  readonly tell: Channel<WorkflowHostRequests, WorkflowHostEvents>['emit'];
  close(): void;
}

export function connectHost(options: {
  readonly port: Port;
  readonly start: () => void;
  readonly listeners: Listeners<WorkflowViewEvents>;
  readonly onFault: (fault: unknown) => void;
}): Host {
  const channel = openChannel<
    WorkflowViewRequests,
    WorkflowHostRequests,
    WorkflowViewEvents,
    WorkflowHostEvents
  >({
    port: options.port,
    handlers: {
      start: () => {
        options.start();
        return null;
      },
    },
    listeners: options.listeners,
    check: checkIncoming,
    describeError: (error) => ({ code: 'view', message: explain(error) }),
    onFault: options.onFault,
  });
  return {
    ready: async () => asView(await channel.request('ready', null)),
    ask: channel.request.bind(channel),
    tell: channel.emit.bind(channel),
    close: () => channel.close(),
  };
}
