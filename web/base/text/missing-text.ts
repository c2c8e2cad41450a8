import type { Capabilities } from '../../../src/protocol/session.ts';

/** Without `rewind`: files of every agent are restored from checkpoints. */
const LABELS: readonly (readonly [capability: Exclude<keyof Capabilities, 'modes' | 'ownModes' | 'tools' | 'rewind'>, label: string])[] = [
  ['permissions', 'approvals'],
  ['editInput', 'editing tool calls'],
  ['interrupt', 'interrupting'],
  ['steer', 'steering'],
  ['resume', 'resuming'],
  ['fork', 'forking'],
  ['forkAt', 'forking from an earlier message'],
  ['images', 'images'],
  ['streaming', 'streaming'],
  ['thinking', 'showing its thinking'],
  ['setThinking', 'thinking levels'],
  ['setModel', 'choosing a model'],
  ['cost', 'cost'],
  ['subagents', 'subagents'],
];

/** One line with the features that this agent lacks; empty if it has them all. */
export function missingText(can: Capabilities): string {
  const missing = LABELS.filter(([capability]) => !can[capability] && !isImplied(capability, can)).map(([, label]) => label);
  const modes = can.modes.length === 0 && !can.ownModes?.length ? ['permission modes'] : [];
  const all = [...missing, ...modes];
  return all.length === 0 ? '' : `Not supported: ${all.join(', ')}`;
}

/** Without forking there is no forking from a message; without approvals there is no call to edit. */
const isImplied = (capability: keyof Capabilities, can: Capabilities): boolean =>
  (capability === 'forkAt' && !can.fork) || (capability === 'editInput' && !can.permissions);
