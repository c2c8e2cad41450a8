import type { Session } from '../../protocol/session.ts';

/** Why a session waits in line: every slot is taken, or all agents together use the memory they may. */
export type LineLimit = NonNullable<Session['lineLimit']>;

/** The place in line in words, for lists, the terminal and the API. */
export const lineText = (place: number, limit: LineLimit): string => `Number ${place} in line: ${reasonText(limit)}`;

function reasonText({ of, limit }: LineLimit): string {
  if (of === 'memory') return `agents use all the memory they may (${Math.round(limit / 1024 ** 2)} MB)`;
  return limit === 1 ? 'the only agent slot is in use' : `all ${limit} agent slots are in use`;
}

/** Where the limit can be changed. */
export const lineSetting = ({ of }: LineLimit): string => (of === 'agents' ? 'SIGNALBOX_MAX_LIVE' : 'SIGNALBOX_MAX_MEMORY_MB');
