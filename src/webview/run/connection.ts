import { openChannel, type Channel, type Listeners, type Port } from '../../protocol/channel.ts';
import type {
  HostEvents,
  HostRequests,
  RunPanelView,
  ViewEvents,
  ViewRequests,
} from '../../protocol/run.ts';
import { explain } from '../common/explain.ts';
import { asSource, asView, checkIncoming } from './guards.ts';

/** The extension, as the panel sees it: its answers are checked before anything uses them. */
export interface Host {
  ready(): Promise<RunPanelView>;
  loadImage(id: string): Promise<string>;
  readonly ask: Channel<HostRequests, HostEvents>['request'];
  readonly tell: Channel<HostRequests, HostEvents>['emit'];
  close(): void;
}

export function connectHost(options: {
  readonly port: Port;
  readonly start: () => void;
  readonly listeners: Listeners<ViewEvents>;
  readonly onFault: (fault: unknown) => void;
}): Host {
  const channel = openChannel<ViewRequests, HostRequests, ViewEvents, HostEvents>({
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
    loadImage: async (id) => asSource(await channel.request('loadImage', { id })),
    ask: channel.request.bind(channel),
    tell: channel.emit.bind(channel),
    close: () => channel.close(),
  };
}
