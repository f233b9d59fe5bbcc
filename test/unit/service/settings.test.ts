import assert from 'node:assert/strict';
import { UsageError, readSettings } from '../../../src/service/process/settings.ts';

const environment = { PROMPT_TABLES_API_KEY: 'k' };

describe('Settings of the service', () => {
  it('come from arguments and environment, with a socket as the default', () => {
    assert.deepEqual(readSettings(['--data', '/d'], environment), {
      dataFolder: '/d',
      keys: ['k'],
      listen: { kind: 'socket' },
      databaseUrl: undefined,
      worker: 'with',
      idleExitMs: undefined,
      hangAfterMs: undefined,
      keysFromWindows: false,
      logLevel: 'info',
      outside: { allowedHosts: [], mcpServers: {}, python: false },
      limits: { concurrency: { '*': 16 } },
      costCeiling: undefined,
      callbackHosts: [],
      pricesFile: undefined,
      observe: { metricsPort: undefined, traces: false },
    });
    const settings = readSettings(
      [
        '--data',
        '/d',
        '--port',
        '0',
        '--idle-exit',
        '30',
        '--hang-after',
        '60',
        '--api-key',
        'a',
        '--api-key',
        'b',
        '--no-worker',
      ],
      { DATABASE_URL: 'postgres://x', PROMPT_TABLES_LOG: 'debug' },
    );
    assert.deepEqual(settings.keys, ['a', 'b']);
    assert.deepEqual(settings.listen, { kind: 'port', port: 0 });
    assert.equal(settings.idleExitMs, 30_000);
    assert.equal(settings.hangAfterMs, 60_000);
    assert.equal(settings.worker, 'none');
    assert.equal(settings.logLevel, 'debug');
  });

  it('let several keys open several workspaces', () => {
    assert.deepEqual(readSettings(['--data', '/d'], { PROMPT_TABLES_API_KEY: ' a, ,b ' }).keys, [
      'a',
      'b',
    ]);
  });

  it('are refused with the reason when they do not fit', () => {
    const wrong: [string[], Record<string, string>][] = [
      [[], environment],
      [['--data', ''], environment],
      [['--data', '/d'], {}],
      [['--data', '/d', '--port', '70000'], environment],
      [['--data', '/d', '--port', '1', '--socket', '/s'], environment],
      [['--data', '/d', '--worker'], environment],
      [['--data', '/d', 'extra'], environment],
      [['--data', '/d', '--hang-after', '4'], environment],
      [['--data', '/d', '--hang-after', 'soon'], environment],
    ];
    for (const [args, given] of wrong) assert.throws(() => readSettings(args, given), UsageError);
    const wrongly: Record<string, string>[] = [
      { PROMPT_TABLES_CONCURRENCY: 'openai=0' },
      { PROMPT_TABLES_CONCURRENCY: 'many' },
      { PROMPT_TABLES_COST_CEILING: '-1' },
      { PROMPT_TABLES_MCP_SERVERS: '/no/such/file.json' },
    ];
    for (const given of wrongly) {
      const [name = ''] = Object.keys(given);
      assert.throws(() => readSettings(['--data', '/d'], { ...environment, ...given }), {
        name: 'UsageError',
        message: new RegExp(name),
      });
    }
  });

  it('limit what providers get and what operations cost', () => {
    const { limits, costCeiling } = readSettings(['--data', '/d'], {
      ...environment,
      PROMPT_TABLES_CONCURRENCY: '8, openai=4,amazon.bedrock=2',
      PROMPT_TABLES_COST_CEILING: '$2.50',
    });
    assert.deepEqual(limits.concurrency, { '*': 8, openai: 4, 'amazon.bedrock': 2 });
    assert.equal(costCeiling, 2.5);
  });

  it('need no key for a process that only computes', () => {
    const settings = readSettings(['--data', '/d', '--worker'], { DATABASE_URL: 'postgres://x' });
    assert.equal(settings.worker, 'only');
  });
});
