import { expect, test } from 'vitest';
import { openTranscript } from '../../../../src/domain/transcript/transcript.ts';
import { Event } from '../../../../src/protocol/event.ts';
import { WaitingPermission } from '../../../../src/protocol/http.ts';
import { type AppState, initialState } from '../../../store/state/app-state.ts';
import { sessionRequests, shownCards } from './session-cards.ts';

const envelope = (seq: number) => ({ v: 1, seq, sessionId: 's', at: '2026-01-01T00:00:00.000Z' });
const asked = (seq: number, requestId: string) =>
  Event.parse({ ...envelope(seq), type: 'permission.requested', requestId, agentRequestId: requestId, tool: 't', input: {}, kind: 'tool' });
const decided = (seq: number, requestId: string) => Event.parse({ ...envelope(seq), type: 'permission.resolved', requestId, outcome: 'allowed' });
const waiting = (requestId: string) =>
  WaitingPermission.parse({ ...envelope(1), requestId, sessionTitle: 'S', agent: 'demo', cwd: '/p', tool: 't', input: {}, kind: 'tool' });

const state = (events: readonly Event[], fields: Partial<AppState> = {}): AppState => ({
  ...initialState(0),
  open: new Map([['s', { transcript: openTranscript(events), older: 'idle', jumps: 0 }]]),
  ...fields,
});
const both = [asked(1, 'a'), asked(2, 'b')];
const answeredHere = new Map([['a', { phase: 'durable', behavior: 'allow' }]]) satisfies AppState['answers'];
const answeredLate = new Map([['a', { phase: 'refused', behavior: 'allow', code: 'late', message: '' }]]) satisfies AppState['answers'];

const phases: readonly (readonly [string, AppState, Readonly<Record<string, string>>])[] = [
  ['both are pending', state(both), { a: 'waiting', b: 'waiting' }],
  ['one was answered here', state(both, { answers: answeredHere }), { a: 'answered', b: 'waiting' }],
  ['one was decided elsewhere', state([...both, decided(3, 'a')], { permissions: [waiting('a')] }), { a: 'decided', b: 'waiting' }],
  [
    'an answer given here came too late',
    state([...both, decided(3, 'a')], { permissions: [waiting('a')], answers: answeredLate }),
    { a: 'decided', b: 'waiting' },
  ],
  ['one is outside the loaded window', state([asked(2, 'b')], { permissions: [waiting('a')] }), { a: 'waiting', b: 'waiting' }],
];
for (const [name, given, expected] of phases) {
  test(`a session page knows every card when ${name}`, () => expect(Object.fromEntries(sessionRequests(given, 's'))).toEqual(expected));
}

const gone = [...both, decided(3, 'a')];
const shown: readonly (readonly [string, AppState, readonly string[]])[] = [
  ['has a card while it is pending', state(both), ['a', 'b']],
  ['has a card until the list of pending requests is updated', state(gone, { permissions: [waiting('a')] }), ['a', 'b']],
  ['has a card while it lingers', state(gone, { left: [{ permission: waiting('a'), leftAt: 0 }] }), ['a', 'b']],
  ['has no card once it was answered here', state(gone, { permissions: [waiting('a')], answers: answeredHere }), ['b']],
  ['has no card long after it was decided', state(gone), ['b']],
];
for (const [name, given, expected] of shown) {
  test(`a request ${name}`, () => expect(shownCards(given, 's')).toEqual(expected));
}
