import type { EventOf } from '../../../../src/protocol/event.ts';
import { clockText } from '../../../base/words/words.ts';

const ENDED = { cancelled: 'Withdrawn', lapsed: 'Lapsed unanswered' } as const;
const OUTCOMES = {
  tool: { allowed: 'Allowed', denied: 'Denied', ...ENDED },
  question: { allowed: 'Answered', denied: 'Skipped', ...ENDED },
  plan: { allowed: 'Approved', denied: 'Sent back', ...ENDED },
} as const;

type Resolved = EventOf<'permission.resolved'>;

export const outcomeWord = (kind: keyof typeof OUTCOMES, { outcome }: Resolved): string => OUTCOMES[kind][outcome];

/** By whom: a rule is named as one. */
export function byText({ actor }: Resolved): string {
  if (actor === undefined) return '';
  return actor.kind === 'rule' ? ` by the rule “${actor.name}”` : ` by ${actor.name}`;
}

/** Who decided what, when: all that a person who comes second needs to know. */
export function outcomeText(kind: keyof typeof OUTCOMES, resolved: Resolved): string {
  const reason = resolved.message === undefined || resolved.message === '' ? '' : `: “${resolved.message}”`;
  const changed = resolved.updatedInput === undefined ? '' : ', with changes';
  return `${outcomeWord(kind, resolved)}${byText(resolved)} at ${clockText(resolved.at)}${changed}${reason}`;
}

/** What was chosen, in the order of the questions. */
export function answersText({ answers, updatedInput }: Resolved): string {
  const given = answers ?? updatedInput?.answers;
  return typeof given === 'object' && given !== null ? Object.values(given).flat().join(' · ') : '';
}
