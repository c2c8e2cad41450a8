import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import { scheduleAtReset, staggered, unscheduleAtReset } from './at-reset.ts';
import { continueAsScheduled } from './continuation.ts';
import { Draft } from './draft.ts';

const RESET = '2026-11-15T05:00:00.000Z';
const LIMITED = { type: 'limit.reported', status: 'rejected', kind: 'five_hour', resetsAt: RESET } as const;
const failed = () => ended({ isError: true, stopReason: 'rate_limit' });
const on = { resumesAt: (resetsAt: string) => resetsAt };
/** A turn that the limit ended, with a message in the queue. */
const limited = (given: object = on) => SessionScenario.working().send('m2').with(given).says({ type: 'input.taken', inputId: 'in-m1' }, LIMITED, failed());
const delivered = (scenario: SessionScenario) => scenario.of('input.delivered').map((event) => event.commandId);
const due = (scenario: SessionScenario): SessionScenario => {
  const draft = new Draft(scenario.state, scenario.context());
  continueAsScheduled(draft, scenario.state.continuation?.commandId ?? ('none' as never));
  return scenario.takes(draft);
};

test('[R367] a turn that the limit cut off continues at its reset if somebody prefers that, and what is queued waits until then', () => {
  const scenario = limited();
  expect(scenario.of('continuation.scheduled')).toMatchObject([{ resumesAt: RESET, resetsAt: RESET, actor: { kind: 'system' } }]);
  expect(delivered(scenario)).toEqual(['m1']);
  due(scenario);
  expect(delivered(scenario).at(-1)).toMatch(/^continuation:/);
  expect(scenario.state.queue.map(({ commandId }) => commandId).at(-1)).toBe('m2');
});

test('without a preference nothing is scheduled, and neither is it after a turn that failed for another reason', () => {
  expect(limited({ resumesAt: () => undefined }).types).not.toContain('continuation.scheduled');
  expect(SessionScenario.working().with(on).says(failed()).types).not.toContain('continuation.scheduled');
  expect(SessionScenario.working().with(on).says(LIMITED, ended()).types).not.toContain('continuation.scheduled');
});

test('[R367] each reset is used once: not again after it was sent or cancelled, but again for a later reset', () => {
  const cancelled = limited().asks({ type: 'continuation.cancel' });
  expect(cancelled.state).toMatchObject({ continuation: null, paused: { by: 'Ada' } });
  const again = cancelled.asks({ type: 'queue.resume' }).says({ type: 'input.taken', inputId: 'in-m2' }, LIMITED, failed());
  expect(again.of('continuation.scheduled')).toHaveLength(1);
  const later = again.send('m3').says({ type: 'turn.began', cause: 'input' }, { ...LIMITED, resetsAt: '2026-11-15T10:00:00.000Z' }, failed());
  expect(later.of('continuation.scheduled')).toHaveLength(2);
});

test('turning the preference off cancels what it scheduled and pauses what waited for the reset', () => {
  const scenario = limited();
  const draft = new Draft(scenario.state, scenario.context());
  unscheduleAtReset(draft);
  expect(draft.events.map(({ type }) => type)).toEqual(['continuation.ended', 'queue.paused']);
});

test('a preference that is turned on later applies to a session that is at its limit', () => {
  const scenario = limited({ resumesAt: () => undefined })
    .asks({ type: 'queue.clear' })
    .with(on);
  const draft = new Draft({ ...scenario.state, turn: { phase: 'idle' } }, scenario.context());
  scheduleAtReset(draft);
  expect(draft.events.map(({ type }) => type)).toEqual(['continuation.scheduled']);
});

test('[R368] sessions that continue at the same reset are at least 20 seconds apart, and never before the reset', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 20 }), (resets) => {
      const taken: string[] = [];
      for (const ms of resets) {
        const resetsAt = new Date(Date.parse(RESET) + ms).toISOString();
        const at = staggered(resetsAt, '2026-11-15T00:00:00.000Z', taken);
        expect(at > resetsAt).toBe(true);
        for (const other of taken) expect(Math.abs(Date.parse(other) - Date.parse(at))).toBeGreaterThanOrEqual(20_000);
        taken.push(at);
      }
    }),
  );
  expect(staggered(RESET, '2026-11-15T09:00:00.000Z', [])).toBe('2026-11-15T09:00:05.000Z');
});
