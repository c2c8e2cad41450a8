import { AgentId } from '../../protocol/ids.ts';
import type { PastAgent } from '../archive.ts';
import { archive } from './history.ts';

/** Its conversations are shown; it is not run from here. */
export const codexPast: PastAgent = { id: AgentId.parse('codex'), title: 'Codex', icon: 'codex', archive };
