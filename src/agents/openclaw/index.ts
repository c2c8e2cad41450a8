import { AgentId } from '../../protocol/ids.ts';
import type { PastAgent } from '../archive.ts';
import { archive } from './history.ts';

/** Its conversations are shown; it is not run from here. */
export const openclawPast: PastAgent = { id: AgentId.parse('openclaw'), title: 'OpenClaw', icon: 'openclaw', archive };
