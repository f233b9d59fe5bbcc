import { describeError } from '../errors.ts';
import { readTypesOptions, usage, UsageError, writeTypes } from './command.ts';

const EXIT_DIFFERS = 1;
const EXIT_UNKNOWN = 2;

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

try {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
  } else {
    const options = readTypesOptions(args);
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    const warn = (line: string): void => void process.stderr.write(`${line}\n`);
    const { signal } = stopping;
    const { isSame, isWhole } = await writeTypes(options, { print, warn, signal });
    const isFine = isSame || !options.isCheck;
    process.exitCode = isFine ? (isWhole ? 0 : EXIT_UNKNOWN) : EXIT_DIFFERS;
  }
} catch (error) {
  process.exitCode = EXIT_UNKNOWN;
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\n\n${usage}\n` : `${describeError(error)}\n`,
  );
}
