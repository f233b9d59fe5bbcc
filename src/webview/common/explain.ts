import { ChannelError } from '../../protocol/channel.ts';

/** Text for the user, with what to do next where it is known. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ChannelError ? error.hint : undefined;
  return hint === undefined ? message : `${message} ${hint}`;
}
