import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Problems } from '../problems/problems.ts';
import type { CarrierListener } from './carrier.ts';
import { BLOCK_MS, type RedisConnections } from './redis-connection.ts';

export interface RedisReader {
  /** Drops what was read, and notices when a stream was emptied or made again with smaller ids, which a read alone never tells. */
  trim(): Promise<void>;
  close(): void;
}

interface Streams {
  readonly inbox: string;
  readonly log: string;
}

const START = '0-0';
const RETRY_MS = 250;
const READ_ENTRIES = 128;

/** Follows the inbox and the log on a connection of its own, always from the last id that was read. */
export async function openRedisReader(
  { reader, writer }: RedisConnections,
  { inbox, log }: Streams,
  listener: CarrierListener,
  problems: Problems,
): Promise<RedisReader> {
  const last = { inbox: START, log: (await lastIdOf(writer, log)) ?? START };
  let isOpen = true;
  const deliver = (stream: string, id: string, bytes: Buffer): void => {
    if (stream === inbox) last.inbox = id;
    else last.log = id;
    problems.during('handle what other machines send', () => (stream === inbox ? listener.frame(bytes) : listener.logged(bytes)));
  };
  const read = async (): Promise<void> => {
    while (isOpen) {
      try {
        const found = await reader.xreadBuffer('COUNT', READ_ENTRIES, 'BLOCK', BLOCK_MS, 'STREAMS', inbox, log, last.inbox, last.log);
        for (const [stream, entries] of found ?? [])
          for (const [id, fields] of entries) if (fields?.[1] !== undefined) deliver(String(stream), String(id), fields[1]);
      } catch {
        // Said by the connection's own events.
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  };
  void read();
  return {
    trim: async () => {
      const [lastInbox, lastLog] = [await lastIdOf(writer, inbox), await lastIdOf(writer, log)];
      if (isOlder(lastInbox, last.inbox)) last.inbox = START;
      else if (last.inbox !== START) await writer.xtrim(inbox, 'MINID', last.inbox);
      if (!isOlder(lastLog, last.log)) return;
      last.log = START;
      listener.logLost();
    },
    close: () => {
      isOpen = false;
    },
  };
}

async function lastIdOf(client: Redis, stream: string): Promise<string | undefined> {
  try {
    const facts = (await client.xinfo('STREAM', stream)) as readonly unknown[];
    return String(facts[facts.indexOf('last-generated-id') + 1]);
  } catch (error) {
    if (error instanceof Error && /no such key/.test(error.message)) return undefined;
    throw error;
  }
}

/** Whether the stream was emptied, or its ids are behind what was read from it. */
function isOlder(now: string | undefined, read: string): boolean {
  if (read === START) return false;
  if (now === undefined) return true;
  const [a = 0, b = 0] = now.split('-').map(Number);
  const [c = 0, d = 0] = read.split('-').map(Number);
  return a < c || (a === c && b < d);
}
