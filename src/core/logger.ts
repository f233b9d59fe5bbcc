import { writeLog } from '#platform';
import { redactText, redactValue } from './redact.ts';

/** VS Code's `LogOutputChannel` fits without an adapter. Messages are sentences, data follow. */
export interface Logger {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
}

const ignore = (): void => undefined;

/** Says nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function toStandardError(
  level: Parameters<typeof writeLog>[0],
): (message: string, ...details: unknown[]) => void {
  return (message, ...details) => {
    const data = details.map((detail) => ` ${JSON.stringify(detail)}`).join('');
    writeLog(level, `prompt-tables ${level}: ${message}${data}`);
  };
}

/** Used when no logger is given: everything but debug messages, on standard error. */
export const standardErrorLogger: Logger = {
  debug: ignore,
  info: toStandardError('info'),
  warn: toStandardError('warning'),
  error: toStandardError('error'),
};

/** The one place where secrets are taken out of what is logged. */
export function redactingLogger(logger: Logger, secrets: readonly string[]): Logger {
  const level =
    (name: keyof Logger) =>
    (message: string, ...details: unknown[]): void =>
      logger[name](
        redactText(message, secrets),
        ...details.map((detail) => redactValue(detail, secrets)),
      );
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
}
