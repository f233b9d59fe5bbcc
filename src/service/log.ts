export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** One JSON line an event. Callers never pass keys, bodies or queries. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const lowest = levels.indexOf(level);
  const at =
    (name: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (levels.indexOf(name) < lowest) return;
      write(
        `${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields })}\n`,
      );
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** An error with its causes as text, for the log only. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? text : `${text}\nCaused by: ${errorText(error.cause)}`;
}
