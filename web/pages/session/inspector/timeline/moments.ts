import type { SessionTimeline, TimelineCompaction, TimelineTurn, TimelineWait } from '../../../../../src/protocol/api/timeline.ts';
import { costText, countText, durationText, tokensText } from '../../../../base/text/format.ts';

/** An entry of the list below the axis. */
export interface Moment {
  readonly key: string;
  readonly kind: 'turn' | 'wait' | 'compaction';
  readonly seq: number;
  readonly atMs: number;
  readonly title: string;
  readonly facts: string;
  /** Set while it is open, or if it failed. */
  readonly state?: 'open' | 'failed';
}

export const momentsOf = ({ turns, waits, compactions }: SessionTimeline): readonly Moment[] =>
  [...turns.map(turnMoment), ...waits.map(waitMoment), ...compactions.map(compactionMoment)].sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);

function turnMoment(turn: TimelineTurn): Moment {
  const { seq, atMs, endMs, workMs, count, outcome, tools, title, outputTokens, costUsd } = turn;
  const facts = [
    OUTCOMES[outcome],
    ...(endMs === undefined ? [] : [durationText(workMs ?? endMs - atMs)]),
    ...(tools > 0 ? [countText(tools, 'call')] : []),
    ...(outputTokens === undefined ? [] : [`${tokensText(outputTokens)} tokens out`]),
    ...(costUsd === undefined ? [] : [costText(costUsd)]),
  ];
  return {
    key: `t${seq}`,
    kind: 'turn',
    seq,
    atMs,
    title: count > 1 ? `${countText(count, 'turn')} starting with “${title ?? 'a turn'}”` : (title ?? 'Turn started by the agent'),
    facts: facts.filter((fact) => fact !== '').join(' · '),
    ...(outcome === 'open' && { state: 'open' }),
    ...((outcome === 'failed' || outcome === 'crashed') && { state: 'failed' }),
  };
}

const OUTCOMES = { open: 'running', done: '', failed: 'failed', crashed: 'crashed', interrupted: 'interrupted' } as const;

function waitMoment({ seq, atMs, endMs, count, tool, kind, outcome, by }: TimelineWait): Moment {
  const what = { tool: `Asked to use ${tool}`, question: 'Asked a question', plan: 'Proposed a plan' }[kind];
  const facts = endMs === undefined ? 'needs you' : `waited ${durationText(endMs - atMs)}, ${outcome ?? 'ended'}${by === undefined ? '' : ` by ${by}`}`;
  return {
    key: `w${seq}`,
    kind: 'wait',
    seq,
    atMs,
    title: count > 1 ? `Asked ${count} times` : what,
    facts,
    ...(endMs === undefined && { state: 'open' }),
  };
}

function compactionMoment({ seq, atMs, trigger, preTokens, postTokens }: TimelineCompaction): Moment {
  const sizes = [preTokens, postTokens].map((tokens) => (tokens === undefined ? '?' : tokensText(tokens)));
  return { key: `c${seq}`, kind: 'compaction', seq, atMs, title: 'Compacted the context', facts: `${sizes.join(' → ')} tokens, ${trigger}` };
}
