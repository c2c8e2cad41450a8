import { expect, test } from 'vitest';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { Event } from '../../protocol/event.ts';
import { newsOfEvent } from './push-text.ts';

const session = sessionOf({ id: 's', title: 'Fix it', status: 'failed', lastLine: 'overloaded' });
const event = (body: object): Event => Event.parse({ seq: 9, at: '2026-01-01T00:00:00.000Z', ...body });
const failed = (cause: string) => event({ type: 'session.status', status: 'failed', cause });

test('a failed turn is news once: not again as a status, after it slept or after it woke', () => {
  const turn = { type: 'turn.completed', turnId: 't', stopReason: 'error', isError: true, interrupted: false, denials: 0, errors: ['overloaded'] };
  expect(newsOfEvent(event(turn), session)).toMatchObject({ about: 'failed', message: { body: 'Failed. overloaded' } });
  expect([failed('turn.completed'), failed('run.ready')].map((status) => newsOfEvent(status, session))).toEqual([undefined, undefined]);
});

test('a crash is news', () => expect(newsOfEvent(failed('session.exited'), session)).toMatchObject({ about: 'failed' }));
