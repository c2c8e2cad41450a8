import { createHash } from 'node:crypto';
import type { RunId } from '../../protocol/ids.ts';

/** An agent's ids of calls are unique only within one run of it. */
export const askIdOf = (run: RunId, toolUseId: string): string => createHash('sha256').update(`${run}\0${toolUseId}`).digest('hex').slice(0, 24);
