import * as z from 'zod/mini';
import { jsonIn } from './json.ts';

/** Claude Code 2.1.120 gives its last 1,000 messages again over a new connection; ten times that is remembered. */
const REMEMBERED = 10_000;

const Identified = z.object({ uuid: z.string() });

/** Says whether a message was here before. What has no uuid is never given again, and always new. */
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
