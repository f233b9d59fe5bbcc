import type { Logger } from '../../../src/core/logger.ts';

export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly details: readonly unknown[];
}

export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  debug(message: string, ...details: readonly unknown[]): void {
    this.lines.push({ level: 'debug', message, details });
  }
  info(message: string, ...details: readonly unknown[]): void {
    this.lines.push({ level: 'info', message, details });
  }
  warn(message: string, ...details: readonly unknown[]): void {
    this.lines.push({ level: 'warn', message, details });
  }
  error(message: string, ...details: readonly unknown[]): void {
    this.lines.push({ level: 'error', message, details });
  }

  messages(level: keyof Logger): string[] {
    return this.lines.filter((line) => line.level === level).map((line) => line.message);
  }
}
