import type { Channel, ChannelOptions, EventMap, RequestMap } from '../../protocol/channel.ts';
import { openChannel } from '../../protocol/channel.ts';
import { explain } from './explain.ts';
import { t } from './language.ts';
import type { Page } from './page.ts';
import { Problems } from './problems.ts';

type Nothing = Readonly<Record<string, never>>;
type Incoming<Asked extends RequestMap, Events extends EventMap> = Pick<
  ChannelOptions<Asked, Events>,
  'handlers' | 'listeners' | 'check'
>;

/** What a page has around it: the way to the extension, and a place for problems. */
export interface Frame<Requests extends RequestMap, Reported extends EventMap = Nothing> {
  readonly channel: Channel<Requests, Reported>;
  readonly problems: Problems;
  /** Aborted when the page ends. */
  readonly signal: AbortSignal;
  readonly fail: (error: unknown) => void;
  /** Shows what the extension answers; what fails can be tried again. */
  readonly open: <View>(ask: () => Promise<View>, show: (view: View) => void) => void;
  readonly end: () => void;
}

export const unknownMessage = (page: string, name: string): Error =>
  new Error(`${page} was sent an unknown message: ${name}`);

/** For a page that gets no messages from the extension. */
export const reportedNothing = (page: string): Incoming<Nothing, Nothing> => ({
  handlers: {},
  listeners: {},
  check: (_, name) => {
    throw unknownMessage(page, name);
  },
});

export function openFrame<
  Requests extends RequestMap,
  Events extends EventMap,
  Reported extends EventMap = Nothing,
  Asked extends RequestMap = Nothing,
>({ port, onFault }: Page, incoming: Incoming<Asked, Events>): Frame<Requests, Reported> {
  const ending = new AbortController();
  const { signal } = ending;
  const problems = new Problems();
  const channel = openChannel<Asked, Requests, Events, Reported>({
    ...{ port, onFault },
    ...incoming,
    describeError: (error) => ({ code: 'view', message: explain(error) }),
  });
  signal.addEventListener('abort', () => channel.close());
  const open = <View>(ask: () => Promise<View>, show: (view: View) => void): void => {
    ask().then(show, (error: unknown) => {
      if (signal.aborted) return;
      const again = { label: t('Try again'), run: () => open(ask, show) };
      problems.show('panel', { message: explain(error) }, [again]);
    });
  };
  return {
    ...{ channel, problems, signal, open },
    fail: (error) => {
      if (!signal.aborted) problems.show('run', { message: explain(error) });
    },
    end: () => ending.abort(),
  };
}
