import * as z from 'zod/mini';
import { jsonIn } from './json.ts';

/** Claude Code 2.1.120 resends its last 1,000 messages over a new connection; we remember ten times as many. */
const REMEMBERED = 10_000;

const Identified = z.object({ uuid: z.string() });

/** Reports whether a message already arrived. Messages without a uuid are never resent, so they are always new. */
export function createRepeats(remembered = REMEMBERED): (line: string) => boolean {
  const seen = new Set<string>();
  return (line) => {
    const uuid = Identified.safeParse(jsonIn(line)).data?.uuid;
    if (uuid === undefined) return false;
    if (seen.has(uuid)) return true;
    seen.add(uuid);
    if (seen.size > remembered) for (const oldest of seen) return !seen.delete(oldest);
    return false;
  };
}
