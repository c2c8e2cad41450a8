import { decisionText } from '../../../../src/domain/transcript/outcomes.ts';
import type { EventOf } from '../../../../src/protocol/event.ts';
import type { ResolvedRequest } from '../../../../src/protocol/frame.ts';
import { clockText } from '../../../base/text/format.ts';

type Kind = EventOf<'permission.requested'>['kind'];

/** Who decided what, and when: everything the second person to answer needs to know. */
export function outcomeText(kind: Kind, { outcome, by, at, message, changed }: ResolvedRequest, you: string | undefined): string {
  const reason = message === undefined || message === '' ? '' : `: “${message}”`;
  return `${decisionText({ outcome, actor: by }, { kind, you })} at ${clockText(at)}${changed === true ? ', with changes' : ''}${reason}`;
}

/** What was chosen, in the order of the questions. */
export function answersText({ answers, updatedInput }: EventOf<'permission.resolved'>): string {
  const given = answers ?? updatedInput?.answers;
  return typeof given === 'object' && given !== null ? Object.values(given).flat().join(' · ') : '';
}
