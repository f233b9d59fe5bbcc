import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { RunningService } from './support/running-service.ts';
import { SheetRun } from './support/sheet-run.ts';

const leftovers = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('prompt-tables-python-'));

onEachBackend('Python columns', (backend) => {
  let api: Api;
  before(async () => {
    ({ api } = await backend.start({
      environment: { PROMPT_TABLES_PYTHON: '1', SOME_CANARY: 'canary' },
    }));
  });

  const run = async (sheet: SheetRun, code: string): Promise<unknown> => {
    const column = await sheet.add('CODE_EXECUTION', { code, language: 'python' }, code);
    await sheet.run({ column_ids: [column] });
    return sheet.value(column);
  };

  it('answer with what they return, or with their last expression', async () => {
    const sheet = await SheetRun.of(api, 'Word,Other\nöne,2');
    assert.equal(await run(sheet, 'data["Word"].upper() + "!"'), 'ÖNE!');
    const code =
      'import json, re\nfor x in [1, 2]:\n  if x == 2:\n    return {"a": [x, None, 1.5]}';
    assert.deepEqual(await run(sheet, code), { a: [2, null, 1.5] });
    assert.equal(await run(sheet, 'print("no answer")\nx = 1'), null);
    assert.match(String(await run(sheet, 'x = 1\n1 / 0')), /^code_failed: ZeroDiv.*\(line 2\)$/);
    assert.match(String(await run(sheet, 'def')), /^code_failed: SyntaxError: .*line 1/);
    assert.match(String(await run(sheet, 'float("nan")')), /^code_failed: ValueError/);
  });

  // What code may do is up to its process, which knows of no database.
  if (backend.name !== 'SQLite') return;

  it('see no environment, files, processes or network', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    assert.equal(await run(sheet, 'import os\n"SOME_CANARY" in os.environ'), false);
    for (const code of [
      'open("/etc/passwd").read()',
      'open("x", "w")',
      'import os\nos.listdir("/")',
      'import os\nos.system("true")',
      'import subprocess\nsubprocess.run(["true"])',
      'import socket\nsocket.create_connection(("127.0.0.1", 80))',
      'import ctypes\nctypes.CDLL(None)',
    ]) {
      assert.match(String(await run(sheet, code)), /^code_failed: PermissionError/, code);
    }
  });

  it('end when they take too much', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    assert.match(String(await run(sheet, '"x" * (2 ** 30)')), /^limit_exceeded: .*memory/);
    assert.match(String(await run(sheet, '"x" * (5 * 2 ** 20)')), /^limit_exceeded: /);
    assert.match(String(await run(sheet, 'while True: pass')), /^timed_out: /);
    assert.match(String(await run(sheet, 'import os\nos._exit(3)')), /^code_failed: /);
    assert.deepEqual(leftovers(), []);
  }).timeout(60_000);
});

describe('Python columns', () => {
  it('are turned off unless they are asked for', async () => {
    // Alone: a worker of another service on the same database could compute the cell.
    const service = await RunningService.start();
    try {
      const sheet = await SheetRun.of(service.api, 'Word\none');
      const column = await sheet.add('CODE_EXECUTION', { code: '1', language: 'PYTHON' });
      await sheet.run();
      assert.match(String(await sheet.value(column)), /^not_supported: .*PROMPT_TABLES_PYTHON=1/);
    } finally {
      await service.stop();
    }
  });
});
