import { describeError } from '../errors.ts';
import { evaluate, readImportRequest, usage, UsageError } from './command.ts';

const EXIT_TOO_FEW = 1;
const EXIT_UNKNOWN = 2;

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

try {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
  } else {
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    const { isPassed } = await evaluate(readImportRequest(args), {
      print,
      signal: stopping.signal,
    });
    process.exitCode = isPassed ? 0 : EXIT_TOO_FEW;
  }
} catch (error) {
  process.exitCode = EXIT_UNKNOWN;
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\n\n${usage}\n` : `${describeError(error)}\n`,
  );
}
