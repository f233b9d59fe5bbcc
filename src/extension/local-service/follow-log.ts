import fs from 'node:fs';
import type { Disposable } from '../shell/dispose.ts';
import type { Logger } from '../../core/logger.ts';

const levels = new Set(['debug', 'info', 'warn', 'error'] as const);
type Level = typeof levels extends Set<infer Name> ? Name : never;

/** A line of the service is JSON with a level; what Node itself prints is plain text. */
function writeLine(log: Logger, line: string): void {
  let level: Level = 'warn';
  let text = line;
  try {
    const {
      level: named,
      message,
      time: _,
      ...fields
    } = JSON.parse(line) as Record<string, unknown>;
    if (levels.has(named as Level)) level = named as Level;
    const more = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
    text = `${String(message)}${more}`;
  } catch {
    // Plain text, shown as it is.
  }
  log[level](`local service: ${text}`);
}

/** Copies what a service writes from now on into our log. */
export function followLog(file: string, log: Logger): Disposable {
  let at = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let rest = '';
  let isReading = false;
  let isAsked = false;
  const readOn = async (): Promise<void> => {
    isAsked = true;
    if (isReading) return;
    isReading = true;
    while (isAsked) {
      isAsked = false;
      const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      // Shorter than before: begun anew.
      if (size < at) at = 0;
      if (size === at) continue;
      for await (const chunk of fs.createReadStream(file, {
        start: at,
        end: size - 1,
        encoding: 'utf8',
      })) {
        rest += String(chunk);
      }
      at = size;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') writeLine(log, line);
    }
    isReading = false;
  };
  const watcher = fs.watch(file, () => {
    readOn().catch((error: unknown) =>
      log.warn("The log of the local service can't be read.", error),
    );
  });
  watcher.on('error', (error) => log.warn("The log of the local service can't be watched.", error));
  return { dispose: () => watcher.close() };
}
