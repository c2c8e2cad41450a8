import type { Tally } from './tally.ts';

/** Kills by victim and situation, and how much was compared. */
export function reportOf(tally: Tally): string {
  const rows = new Map<string, { kills: number; bytes: number[] }>();
  for (const kill of tally.kills) {
    const key = [kill.victim, kill.agent ?? 'all sessions', kill.situation ?? ''].join(' | ');
    const row = rows.get(key) ?? { kills: 0, bytes: [] };
    row.kills += 1;
    row.bytes.push(...kill.bytes);
    rows.set(key, row);
  }
  const table = [...rows].sort(([a], [b]) => a.localeCompare(b)).map(([key, { kills, bytes }]) => `| ${key} | ${kills} | ${rangeOf(bytes)} |`);
  const seeds = [...new Set(tally.kills.map(({ seed }) => seed))];
  const counts = [...tally.counts].map(([what, times]) => `${times} ${what}`);
  return [
    '| victim | agent | situation | kills | out.ndjson at the kill, bytes |',
    '|---|---|---|---|---|',
    ...table,
    `${killsOf(tally)} kills of processes, ${realOf(tally)} of them of the real CLI mid-turn; seeds ${seeds.join(', ')}`,
    `compared: ${counts.join(', ')}`,
  ].join('\n');
}

const rangeOf = (bytes: readonly number[]): string => (bytes.length === 0 ? '' : `${Math.min(...bytes)}–${Math.max(...bytes)}`);

export const killsOf = (tally: Tally): number => tally.kills.filter(({ victim }) => victim !== 'socket').length;
/** Kills that hit the real CLI mid-text, mid-command or mid-approval. */
export const realOf = (tally: Tally): number =>
  tally.kills.filter(({ agent, situation }) => agent?.startsWith('claude') && situation?.startsWith('mid-')).length;
