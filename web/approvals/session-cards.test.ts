import { expect, test } from 'vitest';
import { openTranscript } from '../../src/domain/transcript/transcript.ts';
import { Event } from '../../src/protocol/event.ts';
import { WaitingPermission } from '../../src/protocol/http.ts';
import { type AppState, initialState } from '../store/app-state.ts';
import { keyedCard, shownCards } from './session-cards.ts';

const place = (seq: number) => ({ v: 1, seq, sessionId: 's', at: '2026-01-01T00:00:00.000Z' });
const asked = (seq: number, requestId: string) =>
  Event.parse({ ...place(seq), type: 'permission.requested', requestId, agentRequestId: requestId, tool: 't', input: {}, kind: 'tool' });
const decided = (seq: number, requestId: string) => Event.parse({ ...place(seq), type: 'permission.resolved', requestId, outcome: 'allowed' });
const waiting = (requestId: string) =>
  WaitingPermission.parse({ ...place(1), requestId, sessionTitle: 'S', agent: 'demo', cwd: '/p', tool: 't', input: {}, kind: 'tool' });

const state = (events: readonly Event[], fields: Partial<AppState> = {}): AppState => ({
  ...initialState(0),
  open: new Map([['s', { transcript: openTranscript(events), older: 'idle', jumps: 0 }]]),
  ...fields,
});
const both = [asked(1, 'a'), asked(2, 'b')];
const answeredHere = new Map([['a', { phase: 'durable', behavior: 'allow' }]]) satisfies AppState['answers'];
const answeredLate = new Map([['a', { phase: 'refused', behavior: 'allow', code: 'late', message: '' }]]) satisfies AppState['answers'];

const keyed: readonly (readonly [string, AppState, string | undefined])[] = [
  ['the first of two', state(both), 'a'],
  ['the next after an answer that was given here', state([...both, decided(3, 'a')], { answers: answeredHere }), 'b'],
  ['none when the one above was decided elsewhere', state([...both, decided(3, 'a')]), undefined],
  ['none when an answer given here came too late', state([...both, decided(3, 'a')], { answers: answeredLate }), undefined],
  ['the next that came after all others were decided', state([asked(1, 'a'), decided(2, 'a'), asked(3, 'b')]), 'b'],
  ['the first when only the one below was decided', state([...both, decided(3, 'b')]), 'a'],
  ['none when nothing waits', state([asked(1, 'a'), decided(2, 'a')]), undefined],
];
for (const [name, given, expected] of keyed) {
  test(`keys mean ${name}`, () => expect(keyedCard(given, 's')).toBe(expected));
}

const gone = [...both, decided(3, 'a')];
const shown: readonly (readonly [string, AppState, readonly string[]])[] = [
  ['while it waits', state(both), ['a', 'b']],
  ['before the list of what waits is told anew', state(gone, { permissions: [waiting('a')] }), ['a', 'b']],
  ['while it lingers', state(gone, { left: [{ permission: waiting('a'), leftAt: 0 }] }), ['a', 'b']],
  ['no longer when it was answered here', state(gone, { permissions: [waiting('a')], answers: answeredHere }), ['b']],
  ['no longer when it is long gone', state(gone), ['b']],
];
for (const [name, given, expected] of shown) {
  test(`a request keeps its card ${name}`, () => expect(shownCards(given, 's')).toEqual(expected));
}
