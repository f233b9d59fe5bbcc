import * as vscode from 'vscode';
import { settings } from '../contributions.ts';
import type { SettingName, SettingValue } from '../contributions.ts';
import type { ServiceSettings } from '../local-service/environment.ts';
import type { Log } from './log.ts';

/** Settings of the editor's own networking that our requests follow. */
export interface NetworkSettings {
  readonly proxy: string | undefined;
  readonly noProxy: readonly string[];
  readonly strictSSL: boolean;
  readonly systemCertificates: boolean;
  /** `http.proxySupport` is off: proxies named in the environment are ignored as well. */
  readonly ignoreEnvironment: boolean;
}

/** The only reader of the configuration. Values are read when they are used. */
export class Settings implements vscode.Disposable {
  readonly #log: Log;
  readonly #networkEmitter = new vscode.EventEmitter<void>();
  readonly #ownEmitter = new vscode.EventEmitter<(name: SettingName) => boolean>();
  readonly #subscription: vscode.Disposable;

  /** Proxy or certificates changed: connections must be made anew. */
  readonly onDidChangeNetwork = this.#networkEmitter.event;
  /** Some of our settings changed; ask the argument which. */
  readonly onDidChange = this.#ownEmitter.event;

  constructor(log: Log) {
    this.#log = log;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('http')) this.#networkEmitter.fire();
      if (event.affectsConfiguration('promptTables')) {
        this.#ownEmitter.fire((name) => event.affectsConfiguration(`promptTables.${name}`));
      }
    });
  }

  /** A value that does not fit its declaration counts as not set; the log says so. */
  get<Name extends SettingName>(name: Name): SettingValue<Name> {
    const schema = settings[name].schema();
    const written: unknown = vscode.workspace.getConfiguration('promptTables').get(name);
    const read = schema.safeParse(written);
    if (read.success) return read.data as SettingValue<Name>;
    this.#log.warn(`The setting promptTables.${name} isn't valid and its default is used.`);
    return schema.parse(undefined) as SettingValue<Name>;
  }

  network(): NetworkSettings {
    const http = vscode.workspace.getConfiguration('http');
    const proxy = http.get<string>('proxy')?.trim();
    const isOff = http.get<string>('proxySupport') === 'off';
    return {
      proxy: isOff || proxy === '' ? undefined : proxy,
      ignoreEnvironment: isOff,
      noProxy: http.get<string[]>('noProxy') ?? [],
      strictSSL: http.get<boolean>('proxyStrictSSL') ?? true,
      systemCertificates: http.get<boolean>('systemCertificates') ?? true,
    };
  }

  /** What the local service is started with. */
  localService(): ServiceSettings {
    return {
      allowedHosts: this.get('localService.allowedHosts'),
      python: this.get('localService.python'),
      mcpServersFile: this.get('localService.mcpServersFile').trim(),
      model: this.get('localService.model').trim(),
    };
  }

  /** A key that somebody wrote into the settings, and how to take it out again. */
  misplacedKey(): { readonly key: string; readonly remove: () => Promise<void> } | undefined {
    const configuration = vscode.workspace.getConfiguration('promptTables');
    const found = configuration.inspect<string>('apiKey');
    const places = [
      [vscode.ConfigurationTarget.Global, found?.globalValue],
      [vscode.ConfigurationTarget.Workspace, found?.workspaceValue],
      [vscode.ConfigurationTarget.WorkspaceFolder, found?.workspaceFolderValue],
    ] as const;
    const written = places.filter(([, value]) => typeof value === 'string' && value.trim() !== '');
    const key = written[0]?.[1]?.trim();
    if (key === undefined) return undefined;
    return {
      key,
      async remove() {
        for (const [target] of written) await configuration.update('apiKey', undefined, target);
      },
    };
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#networkEmitter.dispose();
    this.#ownEmitter.dispose();
  }
}
