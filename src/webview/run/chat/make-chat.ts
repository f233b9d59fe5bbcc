import type { HostEvents, HostRequests } from '../../../protocol/run.ts';
import type { Frame } from '../../common/frame.ts';
import { asSource } from '../guards.ts';
import type { ChatOptions } from './chat-view.ts';
import { ConversationView } from './chat-view.ts';

interface Around extends Pick<ChatOptions, 'send' | 'say' | 'changed' | 'onFault' | 'showRequest'> {
  readonly ask: (asked: Promise<unknown>) => void;
}

/** The conversation of a panel, which asks the extension for what its buttons say. */
export function makeChat(
  { channel, signal }: Frame<HostRequests, HostEvents>,
  { ask, ...around }: Around,
): ConversationView {
  return new ConversationView({
    ...around,
    signal,
    loadImage: async (id) => asSource(await channel.request('loadImage', { id })),
    tellDraft: (draft) => channel.emit('chatDraft', draft),
    again: (turn) => ask(channel.request('chatAgain', { turn })),
    goTo: (turn) => ask(channel.request('chatGoTo', { turn })),
    answer: (turn, call, text) => ask(channel.request('chatAnswer', { turn, call, text })),
    answerWith: (turn, call) => ask(channel.request('chatAnswerWith', { turn, call })),
    tell: (turn, call, text) => channel.emit('chatResultDraft', { turn, call, text }),
    startAnew: () => ask(channel.request('chatNew', null)),
    save: () => ask(channel.request('chatSave', null)),
    stopBefore: () => ask(channel.request('chatStopBefore', null)),
  });
}
