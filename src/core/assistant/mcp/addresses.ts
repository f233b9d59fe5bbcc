import type { WorkspaceAddress } from '../../options.ts';

type Ask = (message: string, signal: AbortSignal | undefined) => Promise<boolean>;

/**
 * Addresses that the workspace has set for model providers. Nothing goes there unless the origin is
 * on the list of whoever started the server, or the user says so when asked.
 */
export class AllowedOrigins {
  readonly #allowed: Set<string>;
  /** Undefined: the client can't ask. */
  ask: Ask | undefined;

  constructor(listed: string) {
    this.#allowed = new Set(listed.split(/[\s,]+/).filter((origin) => origin !== ''));
  }

  async allows(
    { provider, source, url }: WorkspaceAddress,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { origin } = url;
    if (this.#allowed.has(origin)) return true;
    const whose = source === 'custom' ? "the provider's own key" : `your key of ${provider}`;
    const question = `The workspace has set ${origin} as the address of ${provider}. Send the prompt and ${whose} there?`;
    if ((await this.ask?.(question, signal)) !== true) return false;
    // For as long as the server runs, and for this address only.
    this.#allowed.add(origin);
    return true;
  }
}
