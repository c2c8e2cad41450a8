import type { Moment } from '../../../../src/domain/panel/moments.ts';
import { clockText, countText, durationText, tokensText } from '../../../base/words/words.ts';

/** What a moment is, in a headline and a line below it. */
export interface MomentWords {
  readonly head: string;
  readonly facts: string;
}

export function momentWords(moment: Moment, now: number): MomentWords {
  const lasted = durationText(Math.max(0, (moment.to ?? now) - moment.from));
  const began = clockText(new Date(moment.from).toISOString());
  switch (moment.kind) {
    case 'turn':
      return { head: turnHead(moment), facts: `${began}, ${lasted}${moment.calls > 0 ? `, ${countText(moment.calls, 'call')}` : ''}` };
    case 'call':
      return { head: moment.what, facts: `${began}, ${moment.to === undefined ? `since ${lasted}` : `${lasted}${moment.failed ? ', failed' : ''}`}` };
    case 'wait':
      return { head: moment.what, facts: moment.to === undefined ? `waits for you since ${lasted}` : `${began}, ${moment.how ?? 'over'} after ${lasted}` };
    case 'rest':
      return { head: REST_HEADS[moment.how], facts: moment.to === undefined ? `since ${began}, ${lasted}` : `${began}, for ${lasted}` };
    case 'compaction':
      return { head: 'Context compacted', facts: `${began}${sizeWords(moment)}` };
  }
}

const REST_HEADS = { sleeping: 'Sleeping', ended: 'Ended', failed: 'Failed' } as const;

function turnHead({ to, how, words }: Extract<Moment, { kind: 'turn' }>): string {
  if (to === undefined) return 'Turn, not over yet';
  if (how === 'failed') return words === undefined || words === '' ? 'Turn that failed' : `Failed: ${words}`;
  return how === 'stopped' ? 'Turn, interrupted' : 'Turn';
}

const sizeWords = ({ before, after }: Extract<Moment, { kind: 'compaction' }>): string => {
  if (before === undefined) return '';
  return after === undefined ? `, from ${tokensText(before)} tokens` : `, from ${tokensText(before)} to ${tokensText(after)} tokens`;
};
