import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client } from '../client.ts';
import { pythonOf } from './python.ts';
import { describeError } from '../errors.ts';
import type { Former, MadeModule, PromptType } from './read.ts';
import { readPromptTypes } from './read.ts';
import { typescriptOf } from './typescript.ts';

export const usage = `Usage: node dist/types.mjs --out FILE [--out FILE] [--check] [--socket PATH]

Writes the types of all prompts of a workspace: their names, variables, labels,
and structured output. The key comes from PROMPTLAYER_API_KEY, the address from
PROMPTLAYER_BASE_URL or --socket.

  --out FILE      a module of TypeScript (.ts, .mts) or Python (.py); may be repeated
  --check         writes nothing; prints the lines that differ
  --socket PATH   socket of a local service

A prompt that can't be read keeps its former entry, and standard error says so.

Exit codes: 0 written, or nothing differs; 1 --check found a difference; 2 it
could not be found out, or not of every prompt.`;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface TypesOptions {
  readonly files: readonly string[];
  readonly isCheck: boolean;
  readonly socketPath: string | undefined;
}

export const moduleOf = (
  file: string,
): ((prompts: readonly PromptType[], former: Former) => MadeModule) | undefined => {
  if (/\.m?ts$/.test(file)) return typescriptOf;
  return file.endsWith('.py') ? pythonOf : undefined;
};

export function readTypesOptions(args: readonly string[]): TypesOptions {
  const option = { type: 'string' } as const;
  const { values } = (() => {
    try {
      return parseArgs({
        args: [...args],
        options: { out: { ...option, multiple: true }, check: { type: 'boolean' }, socket: option },
      });
    } catch (cause) {
      throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  })();
  const { out = [], check = false, socket } = values;
  if (out.length === 0) throw new UsageError('Name the file with --out.');
  const other = out.find((file) => moduleOf(file) === undefined);
  if (other !== undefined)
    throw new UsageError(`--out takes a .ts, .mts or .py file, not "${other}".`);
  return { files: out, isCheck: check, socketPath: socket };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Lines that only one of two texts has, each with its sign. Both are sorted alike, so that is enough. */
export function differingLines(before: string, after: string): readonly string[] {
  const old = new Set(before.split('\n'));
  const made = new Set(after.split('\n'));
  return [
    ...[...old].filter((line) => !made.has(line)).map((line) => `- ${line}`),
    ...[...made].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
}

interface Output {
  readonly print: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Written {
  readonly isSame: boolean;
  /** All prompts could be read. */
  readonly isWhole: boolean;
}

/** Answers whether the files say what the workspace has. */
export async function writeTypes(
  { files, isCheck, socketPath }: TypesOptions,
  { print, warn, signal }: Output,
): Promise<Written> {
  const client = new Client({ socketPath });
  try {
    const { prompts, unread } = await readPromptTypes(client, signal);
    for (const { name, error } of unread) {
      warn(`The prompt ${JSON.stringify(name)} can't be read: ${describeError(error)}`);
    }
    let isSame = true;
    for (const file of files) {
      const before = (await textOf(file)).replaceAll('\r\n', '\n');
      const former = { unread: unread.map(({ name }) => name), text: before };
      const made = moduleOf(file)?.(prompts, former);
      if (made === undefined) continue;
      const { text: after, leftOut } = made;
      for (const { name } of unread) {
        const what = leftOut.includes(name) ? 'is left out' : 'keeps its former entry';
        warn(`${file}: ${JSON.stringify(name)} ${what}.`);
      }
      if (before === after) continue;
      isSame = false;
      if (isCheck) {
        print(`${file} differs from the workspace:`);
        const lines = differingLines(before, after);
        for (const line of lines.length > 0 ? lines : ['The order of lines.']) print(line);
      } else await writeFile(file, after);
    }
    const count = String(prompts.length);
    if (!isCheck) print(`${count} prompts: ${isSame ? 'nothing has changed' : 'written'}.`);
    return { isSame, isWhole: unread.length === 0 };
  } finally {
    await client.close();
  }
}
