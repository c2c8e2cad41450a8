import { expect, test } from 'vitest';
import { SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { Decidable } from '../session/observations.ts';
import { isUnread } from './unread.ts';

const done: Decidable = { type: 'turn.ended', stopReason: 'end_turn', isError: false, aborted: false, denials: 0 };
const failed: Decidable = { ...done, stopReason: 'error', isError: true };
const endOf = (scenario: SessionScenario) => scenario.events.findLastIndex(({ type }) => type === 'turn.completed') + 1;

test('[R760] a turn that ends by itself finishes a session, well or badly', () => {
  const well = SessionScenario.working().says(done);
  expect(well.state.finished?.seq).toBe(endOf(well));
  const badly = SessionScenario.working().says(failed);
  expect(badly.state.finished?.seq).toBeGreaterThanOrEqual(endOf(badly));
});

test('[R760] an agent that dies in the middle of a turn finishes its session', () => {
  const scenario = SessionScenario.working().exits();
  expect(endOf(scenario)).toBeGreaterThan(0);
  expect(scenario.state.finished?.seq).toBeGreaterThanOrEqual(endOf(scenario));
});

test('[R760] what a person interrupts or stops is nothing they have to look at', () => {
  const interrupted = SessionScenario.working()
    .asks({ type: 'turn.interrupt' })
    .says({ ...failed, aborted: true });
  expect(interrupted.of('turn.completed')).toHaveLength(1);
  expect(interrupted.state.finished).toBeUndefined();
  const stopped = SessionScenario.working().asks({ type: 'session.stop' }).exits();
  expect(stopped.state.status.status).toBe('ended');
  expect(stopped.state.finished).toBeUndefined();
});

const SINCE = '2026-01-01T00:00:00.000Z';
const session = (more: Partial<Session> = {}) => ({
  id: 's' as SessionId,
  status: 'idle' as const,
  waiting: 0,
  finished: { seq: 10, at: '2026-01-02T00:00:00.000Z' },
  ...more,
});
const seen = (mark?: number) => ({ since: SINCE, marks: mark === undefined ? {} : { s: mark } });

test('[R761] a finished session is unread until its end is seen, and again when it was marked as unread', () => {
  expect(isUnread(session(), seen())).toBe(true);
  expect(isUnread(session(), seen(9))).toBe(true);
  expect(isUnread(session(), seen(10))).toBe(false);
  expect(isUnread(session(), seen(0))).toBe(true);
});

test('[R761] what finished before a person’s first use is not unread, unless they mark it', () => {
  const old = session({ finished: { seq: 10, at: '2025-12-31T00:00:00.000Z' } });
  expect(isUnread(old, seen())).toBe(false);
  expect(isUnread(old, seen(0))).toBe(true);
});

test('[R761] a session that works, needs somebody, waits in line or is archived is not unread', () => {
  for (const more of [{ status: 'busy' }, { status: 'waiting' }, { waiting: 1 }, { placeInLine: 1 }, { archived: true }] as const)
    expect(isUnread(session(more), seen())).toBe(false);
});
