import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { providerVariableNames } from '../../../../src/core/providers/variables.ts';
import {
  inheritedVariables,
  serviceEnvironment,
} from '../../../../src/extension/local-service/environment.ts';

const settings = { allowedHosts: [], python: false, mcpServersFile: '', model: '' };

/** What shells, build tools and other programs set. */
const strangers = [
  ...['DATABASE_URL', 'PGHOST', 'PGPASSWORD', 'PGSERVICE', 'MYSQL_PWD'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER', 'OTEL_SDK_DISABLED'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_ENV', 'NODE_DEBUG'],
  ...['NODE_REPL_EXTERNAL_MODULE', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'],
  ...['PROMPT_TABLES_API_KEY', 'PROMPT_TABLES_PYTHON', 'PROMPT_TABLES_ALLOWED_HOSTS'],
  ...['PROMPT_TABLES_MCP_SERVERS', 'PROMPT_TABLES_PRICES', 'PROMPT_TABLES_LOG'],
  ...['PROMPTLAYER_API_KEY', 'PROMPTLAYER_BASE_URL', 'GITHUB_TOKEN', 'AWS_PROFILE'],
  ...['npm_config_registry', 'npm_lifecycle_script', 'VSCODE_IPC_HOOK_CLI', 'VSCODE_PID'],
  ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'PYTHONPATH', 'PYTHONSTARTUP'],
  ...['ELECTRON_RUN_AS_NODE', 'SSLKEYLOGFILE', 'OPENSSL_CONF', 'LC_SECRET', 'A_PROXY', 'a_proxy'],
];

const environment: Record<string, string> = Object.fromEntries(
  [...strangers, ...providerVariableNames].map((name) => [name, `canary of ${name}`]),
);

const made = (more: Partial<Parameters<typeof serviceEnvironment>[0]> = {}) =>
  serviceEnvironment({
    ...{ environment, key: 'k', settings, isTrusted: true, isElectron: false },
    ...more,
  });

describe('environment of the local service', () => {
  it('has nothing of the shell but what is on the list, and no provider key even when trusted', () => {
    for (const isTrusted of [true, false]) {
      assert.deepEqual(made({ isTrusted }), { PROMPT_TABLES_API_KEY: '1=k' });
    }
  });

  it('has each variable of the list, which gives a reason for each', () => {
    const names = inheritedVariables.flatMap(([, ...each]) => each);
    assert.equal(new Set(names).size, names.length);
    for (const [reason] of inheritedVariables) assert.ok(reason.length > 10);
    const all = Object.fromEntries(names.map((name) => [name, name]));
    assert.deepEqual(made({ environment: all }), { ...all, PROMPT_TABLES_API_KEY: '1=k' });
    assert.equal(made({ environment: { https_proxy: 'p' } })['https_proxy'], 'p');
    for (const name of names) {
      assert.ok(!strangers.includes(name), name);
      assert.ok(!(providerVariableNames as readonly string[]).includes(name), name);
    }
  });

  it('has what settings of the user ask for, in the words of the service', () => {
    const chosen = { ...settings, allowedHosts: ['a.example', '*.b.example'], python: true };
    assert.deepEqual(made({ settings: { ...chosen, model: 'openai/x' }, isElectron: true }), {
      PROMPT_TABLES_API_KEY: '1=k',
      PROMPT_TABLES_ALLOWED_HOSTS: 'a.example,*.b.example',
      PROMPT_TABLES_PYTHON: '1',
      PROMPT_TABLES_MODEL: 'openai/x',
      ELECTRON_RUN_AS_NODE: '1',
    });
  });

  it('has tokens of MCP servers when their file names them, and the window is trusted', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-mcp-'));
    const file = path.join(folder, 'servers.json');
    fs.writeFileSync(
      file,
      '{"a": {"url": "https://a.example", "headers": {"x": "${GITHUB_TOKEN}"}}}',
    );
    const chosen = { ...settings, mcpServersFile: file };
    try {
      assert.deepEqual(made({ settings: chosen, isTrusted: false }), {
        PROMPT_TABLES_API_KEY: '1=k',
      });
      assert.deepEqual(made({ settings: chosen }), {
        PROMPT_TABLES_API_KEY: '1=k',
        PROMPT_TABLES_MCP_SERVERS: file,
        GITHUB_TOKEN: 'canary of GITHUB_TOKEN',
      });
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
