import * as vscode from 'vscode';
import type { Environment, LookUp } from '../../core/options.ts';
import { providerVariableNames } from '../../core/providers/variables.ts';
import type { WindowKeys } from '../shell/local-access.ts';
import type { Secrets } from '../shell/secrets.ts';

/** What the environment of VS Code offers for a hosted connection. Used only after consent. */
export interface EnvironmentOffer {
  readonly key: string | undefined;
  readonly baseURL: string | undefined;
}

/** All of it, for the local service, which gets a few variables of it. */
export const ownEnvironment = (): NodeJS.ProcessEnv => process.env;

const given = (name: string): string | undefined => process.env[name]?.trim() || undefined;

/** Nothing in an untrusted folder: whoever wrote it may have set the environment. */
export function environmentOffer(): EnvironmentOffer {
  if (!vscode.workspace.isTrusted) return { key: undefined, baseURL: undefined };
  return { key: given('PROMPTLAYER_API_KEY'), baseURL: given('PROMPTLAYER_BASE_URL') };
}

const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'];

/** The proxy variables and nothing else: a key must come from the connection, never from here. */
export function proxyEnvironment(): Environment {
  const names = proxyNames.flatMap((name) => [name, name.toLowerCase()]);
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/**
 * Keys and settings of model providers: the environment first, then the secret storage. Nothing of
 * the environment in an untrusted folder.
 */
export const providerLookUp =
  (secrets: Secrets): LookUp =>
  (name) =>
    (vscode.workspace.isTrusted ? given(name) : undefined) ?? secrets.get(name);

/** All of them that are set, for a process of ours that asks models. */
export async function providerKeys(secrets: Secrets): Promise<WindowKeys> {
  const stored = new Set(await secrets.ids());
  // The keychain is not asked for what it does not have.
  const found = async (lookUp: LookUp, isThere: (name: string) => boolean) => {
    const names = providerVariableNames.filter(isThere);
    const pairs = await Promise.all(names.map(async (name) => [name, await lookUp(name)] as const));
    return Object.fromEntries(
      pairs.filter((pair): pair is readonly [(typeof pair)[0], string] => pair[1] !== undefined),
    );
  };
  const isStored = (name: string): boolean => stored.has(name);
  return {
    variables: await found(providerLookUp(secrets), (name) => isStored(name) || !!given(name)),
    restricted: await found((name) => secrets.get(name), isStored),
  };
}
