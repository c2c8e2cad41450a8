import type { Moment } from '../../../../src/domain/panel/moments.ts';
import { workMs } from '../../../../src/domain/work-time.ts';
import type { TrackWait } from '../../../../src/protocol/api/panel.ts';
import { clockText, countText, durationText, tokensText } from '../../../base/text/format.ts';

/** A moment as a headline and a line of facts. */
export interface MomentDescription {
  readonly head: string;
  readonly facts: string;
}

/** Turns and calls last as long as the agent worked, without `waits` for a person. */
export function describeMoment(moment: Moment, now: number, waits: readonly TrackWait[] = []): MomentDescription {
  const lasted = durationText(workMs({ from: moment.from, to: Math.max(moment.from, moment.to ?? now) }, waitsWithin(moment, waits)));
  const start = clockText(new Date(moment.from).toISOString());
  switch (moment.kind) {
    case 'turn':
      return { head: turnHead(moment), facts: `${start}, ${lasted}${moment.calls > 0 ? `, ${countText(moment.calls, 'call')}` : ''}` };
    case 'call':
      return { head: moment.what, facts: `${start}, ${callFacts(moment, lasted)}` };
    case 'wait':
      return { head: moment.what, facts: moment.to === undefined ? `waiting for you for ${lasted}` : `${start}, ${moment.how ?? 'ended'} after ${lasted}` };
    case 'rest':
      return { head: REST_HEADS[moment.how], facts: moment.to === undefined ? `since ${start}, ${lasted}` : `${start}, for ${lasted}` };
    case 'compaction':
      return { head: 'Context compacted', facts: `${start}${sizeText(moment)}` };
  }
}

function callFacts({ to, failed, denied }: Extract<Moment, { kind: 'call' }>, lasted: string): string {
  if (denied) return 'denied';
  if (to === undefined) return `running for ${lasted}`;
  return `${lasted}${failed ? ', failed' : ''}`;
}

/** A turn waits with any of its calls, a call only for its own request. */
function waitsWithin(moment: Moment, waits: readonly TrackWait[]): readonly TrackWait[] {
  if (moment.kind === 'turn') return waits;
  return moment.kind === 'call' ? waits.filter(({ call }) => call === moment.id) : [];
}

const REST_HEADS = { sleeping: 'Sleeping', ended: 'Ended', failed: 'Failed' } as const;

function turnHead({ to, how, words }: Extract<Moment, { kind: 'turn' }>): string {
  if (to === undefined) return 'Turn in progress';
  if (how === 'failed') return words === undefined || words === '' ? 'Turn failed' : `Failed: ${words}`;
  if (how === 'crashed') return 'The agent crashed';
  return how === 'stopped' ? 'Turn interrupted' : 'Turn';
}

const sizeText = ({ before, after }: Extract<Moment, { kind: 'compaction' }>): string => {
  if (before === undefined) return '';
  return after === undefined ? `, from ${tokensText(before)} tokens` : `, from ${tokensText(before)} to ${tokensText(after)} tokens`;
};
