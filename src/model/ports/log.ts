/** Severity of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Destination of a flow's log lines. */
export interface Log {
  write(level: LogLevel, message: string, fields: Readonly<Record<string, string>>): void;
}
