import * as vscode from 'vscode';
import * as z from 'zod';
import type { WorkspaceAddress } from '../../core/index.ts';
import { isCancellation } from '../../core/errors.ts';
import { isLoopback } from '../../core/http/loopback.ts';
import { confirmed } from '../shell/questions.ts';
import type { Connection } from './connections.ts';
import { shortened } from '../../core/shortened.ts';
import { lazy } from '../shell/lazy.ts';

const key = 'promptTables.allowedAddresses';
const Stored = lazy(() => z.array(z.string()));
/** The ones that were agreed to longest ago are asked about again. */
const mostKept = 500;
const longestShown = 200;

const clip = (text: string): string => shortened(text, longestShown);

function detailOf({ provider, source, name = '', url }: WorkspaceAddress, workspace: string) {
  const { t } = vscode.l10n;
  const lines = [
    source === 'custom'
      ? t(
          "The workspace {0} has the custom provider {1}. Your prompts are sent there with that provider's own key, never with yours.",
          workspace,
          clip(name) || provider,
        )
      : t(
          'The workspace {0} has set this address for {1}. Your prompts are sent there with your key for {1}.',
          workspace,
          provider,
        ),
    t('Address: {0}', clip(url.href)),
  ];
  const isPlain = url.protocol === 'http:' && !isLoopback(url.hostname);
  if (isPlain) lines.push(t("The connection isn't encrypted."));
  return lines.join('\n');
}

/** One that was agreed to. `id` names it to `forget`. */
export interface AllowedAddress {
  readonly id: string;
  readonly connectionId: string;
  readonly provider: string;
  readonly address: string;
}

/** The parts of an id: see `#idOf`. */
const Id = lazy(() => z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]));

function addressIn(id: string): AllowedAddress {
  let parts: unknown;
  try {
    parts = JSON.parse(id);
  } catch {
    parts = undefined;
  }
  const read = Id().safeParse(parts);
  // One that can't be read can be taken away all the same.
  if (!read.success) return { id, connectionId: '', provider: '', address: clip(id) };
  const [connectionId, , , provider, address] = read.data;
  return { id, connectionId, provider, address };
}

/**
 * Addresses of model providers that a workspace has set in the place of their own. Each is asked
 * about once for a workspace and a provider, trusted folder or not; a changed one is asked anew.
 */
export class AllowedAddresses {
  readonly #state: vscode.Memento;
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** False: nothing may be sent there. */
  async allows(connection: Connection, address: WorkspaceAddress): Promise<boolean> {
    const id = this.#idOf(connection, address);
    if (this.#kept().includes(id)) return true;
    // Runs that are compared begin at once: one question is enough.
    let asking = this.#asking.get(id);
    if (asking === undefined) {
      asking = this.#ask(connection, address, id).finally(() => this.#asking.delete(id));
      this.#asking.set(id, asking);
    }
    return asking;
  }

  /** The one that was agreed to last comes first. */
  get all(): readonly AllowedAddress[] {
    return this.#kept().map(addressIn).reverse();
  }

  /** They are asked about again before anything is sent there. */
  async forget(isGone: (address: AllowedAddress) => boolean): Promise<void> {
    const kept = this.#kept();
    const left = kept.filter((id) => !isGone(addressIn(id)));
    if (left.length < kept.length) await this.#state.update(key, left);
  }

  async #ask(connection: Connection, address: WorkspaceAddress, id: string): Promise<boolean> {
    const { t } = vscode.l10n;
    try {
      await confirmed(
        t('Send requests for {0} to {1}?', address.provider, address.url.origin),
        t('Allow'),
        detailOf(address, connection.name),
      );
    } catch (error) {
      if (isCancellation(error)) return false;
      throw error;
    }
    await this.#state.update(key, [...this.#kept(), id].slice(-mostKept));
    return true;
  }

  /** The address of the workspace too: another service under the same name may lead elsewhere. */
  #idOf(connection: Connection, { provider, source, url }: WorkspaceAddress): string {
    const where = connection.kind === 'hosted' ? connection.baseURL : '';
    return JSON.stringify([connection.id, where, source, provider, url.href]);
  }

  #kept(): readonly string[] {
    return Stored()
      .catch([])
      .parse(this.#state.get(key) ?? []);
  }
}
