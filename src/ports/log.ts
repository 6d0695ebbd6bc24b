/** How loud a line of a log is. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where a flow's own lines go. */
export interface Log {
  write(level: LogLevel, message: string, fields: Readonly<Record<string, string>>): void;
}
