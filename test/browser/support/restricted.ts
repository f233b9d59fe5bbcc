/**
 * A window on a folder that is not trusted, in a shell and beside a folder that want a lot: the same
 * for all suites that ask for it.
 */
import { inRoot } from '../../../scripts/paths.mjs';
import { atTheEnd, workbenchSharedAs } from '../../support/host/shared.ts';
import type { PrivateContext } from '../../support/host/browser.ts';
import type { Workbench } from '../../support/host/workbench.ts';
import { newPostgresDatabase, type OwnDatabase } from '../../support/postgres.ts';
import { saying } from '../../support/providers/chat.ts';
import { startFakeProvider, type FakeProvider } from '../../support/providers/fake-provider.ts';

/** Of a provider, in the environment of the shell. */
export const canary = 'sk-canary-of-the-environment-4711';

/** What the folder wants: to lift the guards, and something harmless. */
export const ofFolder = {
  'promptTables.run.confirmAbove': 1_000_000,
  'promptTables.run.budgetUsd': 999,
  'promptTables.copy.formulaGuard': false,
  'promptTables.copy.limitMegabytes': 500,
  'promptTables.runs.keep': 0,
  'promptTables.prompts.cacheSeconds': 86_400,
  'promptTables.tree.pageSize': 7,
};

interface Named {
  /** What DATABASE_URL names. */
  readonly database: OwnDatabase;
  readonly provider: FakeProvider;
  /** Of spans. */
  readonly collector: FakeProvider;
}

let named: Promise<Named> | undefined;

/** What the environment of the shell names. */
async function start(): Promise<Named> {
  const database = await newPostgresDatabase();
  const provider = await startFakeProvider(saying((asked) => asked.toUpperCase()));
  const collector = await startFakeProvider(() => ({ body: {} }));
  atTheEnd(async () => {
    await provider.close();
    await collector.close();
    await database.drop();
  });
  return { database, provider, collector };
}

export async function restrictedWorkbench(): Promise<
  Named & { readonly workbench: PrivateContext & Workbench }
> {
  named ??= start();
  const around = await named;
  const workbench = await workbenchSharedAs('restricted', {
    restricted: true,
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
    },
    env: {
      PROMPTLAYER_API_KEY: 'pl_canary_of_the_environment_4711',
      PROMPTLAYER_BASE_URL: 'http://127.0.0.1:9/elsewhere',
      DATABASE_URL: around.database.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: around.collector.url,
      OPENAI_API_KEY: canary,
      OPENAI_BASE_URL: `${around.provider.url}/v1`,
      PROMPT_TABLES_ALLOWED_HOSTS: '*',
    },
    extensions: [inRoot('test', 'support', 'host', 'tool-caller')],
    files: {
      'workspace/.vscode/settings.json': JSON.stringify({
        'promptTables.baseUrl': 'http://127.0.0.1:9/of-the-folder',
        ...ofFolder,
      }),
      // What is of a machine is read from there, not from the user's settings.
      'user-data/Machine/settings.json': JSON.stringify({
        'promptTables.assistants.mcpServers': 'readOnly',
      }),
    },
  });
  return { ...around, workbench };
}
