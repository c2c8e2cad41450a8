import { pino } from 'pino';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Say = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/** Facts first, then a sentence. Facts never contain secrets. */
export interface Log {
  readonly error: Say;
  readonly warn: Say;
  readonly info: Say;
  readonly debug: Say;
}

/** One JSON line per message on stderr; stdout belongs to the commands. */
export function createLog(level: LogLevel): Log {
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }));
}

export const silentLog: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
