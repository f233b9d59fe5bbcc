import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { providerLookUp } from '../../../src/extension/connections/environment.ts';
import { ConnectionStore } from '../../../src/extension/connections/store.ts';
import { KeptAnswers } from '../../../src/extension/shell/kept-answers.ts';
import { Log } from '../../../src/extension/shell/log.ts';
import { Secrets } from '../../../src/extension/shell/secrets.ts';
import { Settings } from '../../../src/extension/shell/settings.ts';
import type { HostedService } from '../support/hosted-service.ts';
import { startHostedService } from '../support/hosted-service.ts';
import { extension } from '../support/product.ts';
import { Keychain } from '../support/keychain.ts';
import { until } from '../../support/until.ts';

const oldKey = 'pl_before_1234567890';
const newKey = 'pl_after_0987654321';

/** The state of an extension, which all windows share. */
function memento(): vscode.Memento & { readonly written: Map<string, unknown> } {
  const written = new Map<string, unknown>();
  return {
    written,
    keys: () => [...written.keys()],
    get: <T>(key: string, otherwise?: T) => (written.get(key) as T | undefined) ?? otherwise,
    update: async (key: string, value: unknown) => void written.set(key, value),
  };
}

/** What is warned of, instead of shown: the notifications of this test alone. */
function hearWarnings(): { readonly warnings: readonly string[]; readonly restore: () => void } {
  const warnings: string[] = [];
  const window = vscode.window as { showWarningMessage: unknown };
  const { showWarningMessage } = window;
  window.showWarningMessage = async (text: string) => void warnings.push(text);
  return { warnings, restore: () => (window.showWarningMessage = showWarningMessage) };
}

describe('keys', () => {
  let service: HostedService;
  let keychain: Keychain;
  let globalState: ReturnType<typeof memento>;
  let own: vscode.Disposable[];
  let heard: ReturnType<typeof hearWarnings>;

  // Never disposed of: where the sources are tested, it is the channel of the product itself.
  const log = new Log();

  /** What each window has of its own, around what all of them share. */
  function openWindow() {
    const settings = new Settings(log);
    const secrets = new Secrets(keychain, log, 'connection');
    const providerSecrets = new Secrets(keychain, log, 'provider');
    const providerEnvironment = providerLookUp(providerSecrets);
    const context = {
      ...{ globalState, workspaceState: memento() },
      extension: extension(),
    } as unknown as vscode.ExtensionContext;
    const connections = new ConnectionStore({
      ...{
        context,
        log,
        settings,
        secrets,
        answers: new KeptAnswers('nowhere'),
        providerEnvironment,
      },
      startLocal: () => Promise.reject(new Error('not here')),
    });
    own.push(connections, providerSecrets, secrets, settings);
    const tables = async (id: string): Promise<readonly string[]> => {
      const client = await connections.client(id);
      const titles: string[] = [];
      for await (const { title } of client.tables.list()) titles.push(title);
      return titles;
    };
    return { connections, secrets, providerSecrets, providerEnvironment, tables };
  }

  beforeEach(async () => {
    service = await startHostedService();
    keychain = new Keychain();
    globalState = memento();
    own = [];
    heard = hearWarnings();
  });
  afterEach(async () => {
    heard.restore();
    for (const one of own) one.dispose();
    await service.stop();
  });

  describe('that another window has rotated', () => {
    it('are used by the next request of a connection that was open', async () => {
      service.accept(oldKey);
      const [here, there] = [openWindow(), openWindow()];
      const { id } = await there.connections.add(
        { name: 'Shared', baseURL: service.baseURL },
        oldKey,
      );
      assert.deepEqual(await here.tables(id), ['Hosted table']);
      service.refuse(oldKey);
      service.accept(newKey);
      await there.secrets.set(id, newKey);
      assert.deepEqual(await here.tables(id), ['Hosted table']);
      assert.equal(service.keysSeen.at(-1), newKey);
    });

    it('are used by the next run, when they are those of providers', async () => {
      const [here, there] = [openWindow(), openWindow()];
      await there.providerSecrets.set('XAI_API_KEY', oldKey);
      assert.equal(await here.providerEnvironment('XAI_API_KEY'), oldKey);
      await there.providerSecrets.set('XAI_API_KEY', newKey);
      assert.equal(await here.providerEnvironment('XAI_API_KEY'), newKey);
    });
  });

  it('that are wiped while a client is being opened end that client, too', async () => {
    service.accept(oldKey);
    const { connections, secrets } = openWindow();
    const { id } = await connections.add({ name: 'Shared', baseURL: service.baseURL }, oldKey);
    let letRead = (): void => undefined;
    keychain.slow = new Promise((resolve) => (letRead = resolve));
    const opening = connections.client(id);
    await secrets.delete(id);
    letRead();
    const client = await opening;
    await until('the client to be closed', async () => {
      const asked = client.tables.list()[Symbol.asyncIterator]().next();
      return asked.then(
        () => undefined,
        (error: unknown) => /closed/.test(String(error)) || undefined,
      );
    });
  });

  for (const fault of ['throws', 'forgets'] as const) {
    describe(`that a keychain which ${fault} does not keep`, () => {
      it('are used until the window closes, stand nowhere else, and the user is told once', async () => {
        service.accept(oldKey);
        keychain.fault = fault;
        const { connections, tables } = openWindow();
        const { id } = await connections.add({ name: 'Shared', baseURL: service.baseURL }, oldKey);
        await connections.add({ name: 'Another', baseURL: service.baseURL }, oldKey);
        assert.deepEqual(await tables(id), ['Hosted table']);
        assert.deepEqual(heard.warnings, [
          'The keychain of this computer did not keep the API key. It is used until this window closes; Set API Key takes it from the environment variable PROMPTLAYER_API_KEY the next time.',
        ]);
        assert.ok(!JSON.stringify([...globalState.written]).includes(oldKey));
        keychain.fault = undefined;
        assert.deepEqual(await keychain.keys(), []);
      });
    });
  }

  it('give way to a newer one that another window could store', async () => {
    const { secrets } = openWindow();
    keychain.fault = 'throws';
    await secrets.set('one', oldKey);
    assert.equal(await secrets.get('one'), oldKey);
    keychain.fault = undefined;
    assert.equal(await secrets.get('one'), oldKey);
    await openWindow().secrets.set('one', newKey);
    assert.equal(await secrets.get('one'), newKey);
  });

  it('that can not be read are asked for, with the variable that helps, and are not lost', async () => {
    service.accept(oldKey);
    const { id } = await openWindow().connections.add(
      { name: 'Shared', baseURL: service.baseURL },
      oldKey,
    );
    keychain.fault = 'throws';
    const { connections, providerSecrets, secrets, tables } = openWindow();
    await assert.rejects(tables(id), /There is no API key for Shared/);
    await assert.rejects(connections.client(id), /There is no API key for Shared/);
    assert.equal(await providerSecrets.get('XAI_API_KEY'), undefined);
    assert.deepEqual(await providerSecrets.ids(), []);
    assert.deepEqual(heard.warnings, [
      'The keychain of this computer could not be read. Set the API key again to use it until this window closes; it can come from the environment variable PROMPTLAYER_API_KEY.',
      'The keychain of this computer could not be read. Set XAI_API_KEY as a variable of the environment, which needs no keychain.',
    ]);
    await assert.rejects(secrets.delete(id), /keychain of this computer did not delete the key/);
    keychain.fault = undefined;
    assert.deepEqual(await tables(id), ['Hosted table']);
  });
});
