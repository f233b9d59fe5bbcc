/** What a provider sends for one call, streamed and not, as its documentation gives the protocol. */
export interface Recording {
  readonly title: string;
  /** As a template names it. */
  readonly provider: string;
  readonly apiType?: string;
  readonly templateType?: 'chat' | 'completion';
  readonly kwargs: Readonly<Record<string, unknown>>;
  /** The end of the path that is asked. */
  readonly path: string;
  readonly events: readonly object[];
  /** Events carry their type as the name of the event. */
  readonly named?: boolean;
  /** The stream ends with `[DONE]`. */
  readonly done?: boolean;
  /** The answer to the same call without a stream. */
  readonly whole: object;
  readonly reply: { readonly content: readonly object[]; readonly tool_calls: readonly object[] };
}

export const question = [{ role: 'user', content: 'What is it?' }];
