import type { Moment } from '../../../../src/domain/panel/moments.ts';
import { clockText, countText, durationText, tokensText } from '../../../base/text/format.ts';

/** A moment as a headline and a line of facts. */
export interface MomentDescription {
  readonly head: string;
  readonly facts: string;
}

export function describeMoment(moment: Moment, now: number): MomentDescription {
  const lasted = durationText(Math.max(0, (moment.to ?? now) - moment.from));
  const start = clockText(new Date(moment.from).toISOString());
  switch (moment.kind) {
    case 'turn':
      return { head: turnHead(moment), facts: `${start}, ${lasted}${moment.calls > 0 ? `, ${countText(moment.calls, 'call')}` : ''}` };
    case 'call':
      return { head: moment.what, facts: `${start}, ${moment.to === undefined ? `running for ${lasted}` : `${lasted}${moment.failed ? ', failed' : ''}`}` };
    case 'wait':
      return { head: moment.what, facts: moment.to === undefined ? `waiting for you for ${lasted}` : `${start}, ${moment.how ?? 'ended'} after ${lasted}` };
    case 'rest':
      return { head: REST_HEADS[moment.how], facts: moment.to === undefined ? `since ${start}, ${lasted}` : `${start}, for ${lasted}` };
    case 'compaction':
      return { head: 'Context compacted', facts: `${start}${sizeText(moment)}` };
  }
}

const REST_HEADS = { sleeping: 'Sleeping', ended: 'Ended', failed: 'Failed' } as const;

function turnHead({ to, how, words }: Extract<Moment, { kind: 'turn' }>): string {
  if (to === undefined) return 'Turn in progress';
  if (how === 'failed') return words === undefined || words === '' ? 'Turn failed' : `Failed: ${words}`;
  return how === 'stopped' ? 'Turn interrupted' : 'Turn';
}

const sizeText = ({ before, after }: Extract<Moment, { kind: 'compaction' }>): string => {
  if (before === undefined) return '';
  return after === undefined ? `, from ${tokensText(before)} tokens` : `, from ${tokensText(before)} to ${tokensText(after)} tokens`;
};
