import { expect, test } from 'vitest';
import { Event } from '../../protocol/event.ts';
import { itemOf, openTranscript, queueOf, type Transcript } from './transcript.ts';

type Body = Readonly<Record<string, unknown>>;

const open = (...bodies: readonly Body[]): Transcript =>
  openTranscript(bodies.map((body, at) => Event.parse({ ...body, seq: at + 1, at: new Date(1000 * at).toISOString() })));
const rows = (transcript: Transcript) => transcript.rows.map((key) => itemOf(transcript, key));
const accepted = (commandId: string, extra: Body = {}): Body => ({ type: 'input.accepted', commandId, text: commandId, mode: 'queue', ...extra });
const asked = { type: 'setting.requested', commandId: 'w', setting: 'model', value: 'swift' };

test('a message that should join the turn goes before all queued messages', () => {
  const transcript = open(accepted('a'), accepted('b'), accepted('c'), { type: 'input.steered', commandId: 'c' });
  expect(queueOf(transcript).map(({ commandId, mode }) => [commandId, mode])).toEqual([
    ['c', 'steer'],
    ['a', 'queue'],
    ['b', 'queue'],
  ]);
});

test('what a person pointed at is shown with the message', () => {
  const context = [{ path: 'a.ts', fromLine: 3, toLine: 9 }];
  const transcript = open(accepted('a', { context }), { type: 'input.delivered', commandId: 'a', run: 'r' });
  expect(rows(transcript)).toMatchObject([{ kind: 'user', context }]);
});

test('a rewind names the event in which the agent reported a message, not its delivery', () => {
  const before = [accepted('a'), { type: 'input.delivered', commandId: 'a', run: 'r' }];
  const said = { type: 'user.message', text: 'a', origin: 'person', commandId: 'a' };
  expect(rows(open(...before))).toMatchObject([{ seq: 2, taken: false }]);
  expect(rows(open(...before))).not.toMatchObject([{ saidSeq: expect.any(Number) }]);
  expect(rows(open(...before, said))).toMatchObject([{ seq: 2, saidSeq: 3 }]);
  expect(rows(open(said))).toMatchObject([{ seq: 1, saidSeq: 1 }]);
});

test('a requested setting stays until the agent confirms it', () => {
  expect(open(asked).wishes.get('model')).toEqual({ value: 'swift' });
  expect(open(asked, { type: 'model.changed', model: 'swift-2', reason: 'asked' }).wishes.size).toBe(0);
});

test('a refused setting says why', () => {
  const transcript = open(asked, { ...asked, type: 'setting.refused', reason: 'no such model' });
  expect(transcript.wishes.get('model')).toEqual({ value: 'swift', refused: 'no such model' });
  expect(rows(transcript)).toMatchObject([{ kind: 'mark', event: { type: 'setting.refused' } }]);
});

test('inherited events are under their own line, are never pending, and end where the session starts', () => {
  const old = { inherited: true };
  const transcript = open(
    { type: 'session.created', agent: 'demo', cwd: '/p', node: 'n', owner: 'o', options: {} },
    { ...accepted('old'), ...old },
    { type: 'user.message', text: 'before', origin: 'person', commandId: 'old', ...old },
    { type: 'assistant.text', messageId: 'm', index: 0, text: 'then', itemId: 'i', ...old },
    { type: 'session.status', status: 'idle', cause: 'session.created' },
  );
  expect(rows(transcript).map((item) => [item?.kind, item?.inherited ?? false])).toEqual([
    ['mark', false],
    ['seam', true],
    ['user', true],
    ['text', true],
    ['seam', false],
  ]);
  expect(queueOf(transcript)).toEqual([]);
});

test('a dry run of restoring files leaves no mark, the real one does', () => {
  const rewound = (dryRun: boolean) => ({ type: 'files.rewound', commandId: 'r', dryRun, canRewind: true, files: ['a'] });
  expect(rows(open(rewound(true)))).toEqual([]);
  expect(rows(open(rewound(false)))).toMatchObject([{ kind: 'mark' }]);
});
