import type { Capabilities } from '../../../src/protocol/session.ts';

const WORDS: readonly (readonly [ability: Exclude<keyof Capabilities, 'modes'>, words: string])[] = [
  ['permissions', 'approvals'],
  ['editInput', 'edited calls'],
  ['interrupt', 'interrupting'],
  ['steer', 'steering'],
  ['resume', 'resuming'],
  ['fork', 'copies'],
  ['forkAt', 'copies from an earlier message'],
  ['rewind', 'putting files back'],
  ['images', 'pictures'],
  ['streaming', 'live text'],
  ['thinking', 'its thoughts'],
  ['setThinking', 'levels of thinking'],
  ['setModel', 'choice of model'],
  ['cost', 'prices'],
  ['subagents', 'subagents'],
];

/** In one line, what people have with other agents and not with this one; empty when nothing is missing. */
export function missingText(can: Capabilities): string {
  const missing = WORDS.filter(([ability]) => !can[ability] && !isImplied(ability, can)).map(([, words]) => words);
  const modes = can.modes.length === 0 ? ['permission modes'] : [];
  const all = [...missing, ...modes];
  return all.length === 0 ? '' : `Not with this agent: ${all.join(', ')}.`;
}

/** Whoever has no copies at all has none from a message; whoever asks for nothing has nothing to change. */
const isImplied = (ability: keyof Capabilities, can: Capabilities): boolean =>
  (ability === 'forkAt' && !can.fork) || (ability === 'editInput' && !can.permissions);
