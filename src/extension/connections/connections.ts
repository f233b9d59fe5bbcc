import type * as vscode from 'vscode';
import type { Client } from '../../core/index.ts';
import type { LocalAccess } from '../shell/local-access.ts';
import type { HostedAccess } from './open-client.ts';

/** One workspace that can be looked into. A hosted one has one API key, kept apart. */
export type Connection =
  | { readonly kind: 'local'; readonly id: 'local'; readonly name: string }
  | {
      readonly kind: 'hosted';
      readonly id: string;
      readonly name: string;
      readonly baseURL: string;
    };

export type ConnectionsChange =
  | { readonly what: 'current' }
  | { readonly what: 'list' }
  /** Key, address or service of this connection changed: what was loaded over it is out of date. */
  | { readonly what: 'access'; readonly id: string };

/** How a workspace is reached, with its key. */
export type Access = HostedAccess | LocalAccess;

export interface Connections {
  /** The local workspace first. */
  readonly all: readonly Connection[];
  /** Undefined until the user has chosen once. */
  readonly current: Connection | undefined;
  readonly onDidChange: vscode.Event<ConnectionsChange>;
  /** What the template caches of the clients hold has changed. */
  readonly onDidChangeTemplates: vscode.Event<void>;
  get(id: string): Connection | undefined;
  /** The client of a connection when it is open already; starts nothing. */
  openClient(id: string): Client | undefined;
  use(id: string): Promise<void>;
  /**
   * The client of a connection, shared by all its users; starts the local service when it is
   * needed. Ask again after `access` changed: the earlier one is closed then.
   */
  client(id: string, options?: { readonly signal?: AbortSignal }): Promise<Client>;
  /** For a process of ours, which is given the key in its environment and nowhere else. */
  access(id: string): Promise<Access>;
}
