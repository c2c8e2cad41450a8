import { expect, test } from 'vitest';
import { Event } from '../../protocol/event.ts';
import type { Delta } from '../../protocol/frame.ts';
import { applyDelta, dropDelta, replaceLive } from './live.ts';
import { append, childrenOf, itemOf, openTranscript, prepend, queueOf, type Transcript } from './transcript.ts';

type Body = Readonly<Record<string, unknown>>;

const T0 = Date.parse('2026-01-01T00:00:00.000Z');
const numbered = (bodies: readonly Body[], from = 1): Event[] =>
  bodies.map((body, at) => Event.parse({ ...body, seq: from + at, at: new Date(T0 + (from + at) * 1000).toISOString() }));

const accepted = (commandId: string, text: string): Body => ({ type: 'input.accepted', commandId, text, mode: 'queue' });
const delivered = (commandId: string): Body => ({ type: 'input.delivered', commandId, run: 'r1' });
const text = (itemId: string, words: string): Body => ({ type: 'assistant.text', itemId, messageId: 'm', index: 0, text: words });
const started = (toolUseId: string, extra: Body = {}): Body => ({ type: 'tool.started', toolUseId, name: 'Bash', input: { command: 'ls' }, ...extra });
const completed = (toolUseId: string, extra: Body = {}): Body => ({ type: 'tool.completed', toolUseId, output: 'ok', isError: false, ...extra });
const requested = (requestId: string, extra: Body = {}): Body => ({
  type: 'permission.requested',
  requestId,
  agentRequestId: requestId,
  tool: 'Bash',
  input: {},
  kind: 'tool',
  ...extra,
});
const turnEnded = (turnId: string): Body => ({ type: 'turn.completed', turnId, stopReason: 'end_turn', isError: false, interrupted: false, denials: 0 });
const delta = (itemId: string, offset: number, words: string, extra: Partial<Delta> = {}): Delta => ({
  itemId,
  offset,
  text: words,
  messageId: 'm',
  index: 0,
  kind: 'text',
  ...extra,
});

const open = (...bodies: readonly Body[]): Transcript => openTranscript(numbered(bodies));
const kinds = (transcript: Transcript): string[] => transcript.rows.map((key) => itemOf(transcript, key)?.kind ?? '?');
const queued = (transcript: Transcript): string[] => queueOf(transcript).map((input) => input.text ?? '?');

test('[R267] an error appears once: the end of a turn doesn’t repeat what the agent just said', () => {
  const failed = { ...turnEnded('t1'), isError: true, errors: ['No credit. See  the console.', 'another'] };
  const transcript = open(text('a', 'Sorry.\n\nNo credit.\nSee the console.'), failed, { ...failed, turnId: 't2' });
  const problems = transcript.rows.map((key) => itemOf(transcript, key)).flatMap((item) => (item?.kind === 'turn' ? [item.problems] : []));
  expect(problems).toEqual([['another'], ['No credit. See  the console.', 'another']]);
});

const alike = [
  ['I raised the timeout.', 'timeout', true],
  ['I raised the timeout', 'timeout', true],
  ['timeout\nI try again.', 'timeout', true],
  ['I try again.\n\n  timeout\n', 'timeout', false],
  ['timeout', 'timeout', false],
] as const;
for (const [said, problem, isShown] of alike) {
  test(`after ${JSON.stringify(said)} the error “${problem}” is ${isShown ? 'shown' : 'not shown again'}`, () => {
    const transcript = open(text('a', said), { ...turnEnded('t1'), isError: true, errors: [problem] });
    expect(itemOf(transcript, 'turn:t1')).toMatchObject({ problems: isShown ? [problem] : [] });
  });
}

test('a message waits in the queue until it is delivered, then appears in the transcript', () => {
  const waiting = open(accepted('c1', 'hello'));
  const sent = append(waiting, numbered([delivered('c1')], 2));

  expect([queued(waiting), kinds(waiting)]).toEqual([['hello'], []]);
  expect([queued(sent), kinds(sent)]).toEqual([[], ['user']]);
});

test('a message the agent did not take goes back to the queue with the reason, before later ones', () => {
  const transcript = open(accepted('c1', 'one'), delivered('c1'), accepted('c2', 'two'), { type: 'input.returned', commandId: 'c1', reason: 'the agent died' });

  expect(queued(transcript)).toEqual(['one', 'two']);
  expect(queueOf(transcript)[0]?.reason).toBe('the agent died');
  expect(kinds(transcript)).toEqual([]);
});

test('the agent’s echo of a message merges into it and shows what the person typed', () => {
  const echo = { type: 'user.message', commandId: 'c1', text: 'hello <added context>', origin: 'person' };
  const transcript = open(accepted('c1', 'hello'), delivered('c1'), echo);

  expect(kinds(transcript)).toEqual(['user']);
  expect(itemOf(transcript, 'input:c1')).toMatchObject({ text: 'hello', taken: true });
});

test('moving, editing and cancelling change the queue and leave no trace in the transcript', () => {
  const transcript = open(
    accepted('a', 'a'),
    accepted('b', 'b'),
    accepted('c', 'c'),
    { type: 'input.moved', commandId: 'c', before: 'a' },
    { type: 'input.edited', commandId: 'a', text: 'A' },
    { type: 'input.cancelled', commandId: 'b', reason: 'changed my mind' },
  );

  expect([queued(transcript), kinds(transcript)]).toEqual([['c', 'A'], []]);
});

test('a message whose text is before the window takes it from the seeds', () => {
  const seed = { commandId: 'c1', text: 'hello', mode: 'queue', state: 'accepted', images: 0 } as const;
  const before = openTranscript(numbered([{ type: 'notice.shown', level: 'info', text: 'x' }], 50), [seed]);
  const after = append(before, numbered([delivered('c1')], 51));

  expect(queued(before)).toEqual(['hello']);
  expect(itemOf(after, 'input:c1')).toMatchObject({ text: 'hello' });
});

test('a tool call and its result are one item, and a result alone is still an item', () => {
  const joined = open(started('u1'), completed('u1'));
  const alone = openTranscript(numbered([completed('u1')], 9));

  expect(itemOf(joined, 'tool:u1')).toMatchObject({ name: 'Bash', completed: { output: 'ok' } });
  expect(kinds(joined)).toEqual(['tool']);
  expect(itemOf(alone, 'tool:u1')).toMatchObject({ kind: 'tool', completed: { output: 'ok' } });
});

test('a subagent’s items are inside its call, even if the call is before the window', () => {
  const inside = open(started('u1'), started('u2', { parentToolUseId: 'u1' }), completed('u2', { parentToolUseId: 'u1' }));
  const cut = openTranscript(numbered([started('u2', { parentToolUseId: 'u1' })], 30));

  for (const transcript of [inside, cut]) {
    expect(transcript.rows).toEqual(['tool:u1']);
    expect(childrenOf(transcript, 'u1')).toEqual(['tool:u2']);
  }
});

test('a call that names itself as its parent is at the top level', () => {
  const transcript = open(started('u1', { parentToolUseId: 'u1' }));

  expect([transcript.rows, childrenOf(transcript, 'u1')]).toEqual([['tool:u1'], []]);
});

test('a request and its answer are one item, and the call that waits for it says so until it is answered', () => {
  const asked = open(started('u1'), requested('q1', { toolUseId: 'u1' }));
  const answered = append(asked, numbered([{ type: 'permission.resolved', requestId: 'q1', outcome: 'allowed' }], 3));

  expect(itemOf(asked, 'tool:u1')).toMatchObject({ waitsFor: 'q1' });
  expect(itemOf(answered, 'tool:u1')).not.toHaveProperty('waitsFor');
  expect(itemOf(answered, 'permission:q1')).toMatchObject({ requested: { requestId: 'q1' }, resolved: { outcome: 'allowed' } });
});

const marks = [
  ['a limit that is not reached', { type: 'limit.reported', status: 'allowed', kind: 'five_hour' }, []],
  ['a limit that is reached', { type: 'limit.reported', status: 'rejected', kind: 'five_hour' }, ['mark']],
  ['a first run', { type: 'run.opened', run: 'r', mode: 'new', reason: 'x' }, []],
  ['a resumed run', { type: 'run.opened', run: 'r', mode: 'resume', reason: 'x' }, []],
  ['a turn started by a message', { type: 'turn.started', turnId: 't', cause: 'input' }, []],
  ['a turn the agent started on its own', { type: 'turn.started', turnId: 't', cause: 'a task ended' }, ['mark']],
  ['a compaction', { type: 'context.compacted', trigger: 'auto' }, ['mark']],
  ['lost output', { type: 'output.lost', fromByte: 7, reason: 'disk full' }, ['mark']],
  ['a change of the title', { type: 'meta.changed', title: 'x' }, []],
] as const;
for (const [name, body, expected] of marks) test(`${name} is shown in ${expected.length} lines`, () => expect(kinds(open(body))).toEqual(expected));

test('consecutive unrecognized lines are one item', () => {
  const transcript = open({ type: 'unrecognised', raw: '1' }, { type: 'unrecognised', raw: '2' }, text('i1', 'x'), { type: 'unrecognised', raw: '3' });

  expect(kinds(transcript)).toEqual(['unrecognised', 'text', 'unrecognised']);
});

test('retries of one turn are one line, which shows the latest', () => {
  const retry = (attempt: number) => ({ type: 'retry.reported', attempt, error: 'overloaded', turnId: 't1' });
  const transcript = open(retry(1), retry(2), retry(3));

  expect(kinds(transcript)).toEqual(['mark']);
  expect(itemOf(transcript, 'retry:t1')).toMatchObject({ event: { attempt: 3 } });
});

test('text in progress grows in place and becomes the item of the same id', () => {
  const writing = [delta('i1', 0, 'Hel'), delta('i1', 3, 'lo')].reduce((state, piece) => applyDelta(state, piece).transcript, open());
  const whole = append(writing, numbered([text('i1', 'Hello!')]));

  expect(itemOf(writing, 'i1')).toMatchObject({ text: 'Hello', writing: true });
  expect(whole.rows).toEqual(writing.rows);
  expect(itemOf(whole, 'i1')).toMatchObject({ text: 'Hello!', writing: false });
});

test('[R122] a piece that arrives twice, late or overlapping does not change known text', () => {
  const once = applyDelta(open(), delta('i1', 0, 'Hello')).transcript;
  const twice = applyDelta(once, delta('i1', 0, 'Hello')).transcript;
  const overlapping = applyDelta(once, delta('i1', 3, 'lo, you')).transcript;
  const whole = append(once, numbered([text('i1', 'Hello')]));

  expect(twice).toBe(once);
  expect(itemOf(overlapping, 'i1')).toMatchObject({ text: 'Hello, you' });
  expect(applyDelta(whole, delta('i1', 0, 'Hello')).transcript).toBe(whole);
});

test('a piece after a gap is not shown, and the complete text is requested', () => {
  const result = applyDelta(applyDelta(open(), delta('i1', 0, 'He')).transcript, delta('i1', 9, 'x'));

  expect(result.gap).toBe(true);
  expect(itemOf(result.transcript, 'i1')).toMatchObject({ text: 'He' });
});

test('text that the agent started over, or that a turn or a process left unfinished, is removed', () => {
  const writing = applyDelta(open(), delta('i1', 0, 'x')).transcript;

  expect(dropDelta(writing, 'i1').rows).toEqual([]);
  expect(append(writing, numbered([turnEnded('t1')])).live.size).toBe(0);
  expect(append(writing, numbered([{ type: 'session.exited', run: 'r1', reason: 'killed' }])).live.size).toBe(0);
});

test('the text in progress of a snapshot replaces what was shown before', () => {
  const writing = applyDelta(open(), delta('old', 0, 'x')).transcript;

  expect(replaceLive(writing, [delta('new', 0, 'y')]).rows).toEqual(['new']);
});

test('older events prepended to the window join their partners, and items that did not change keep their identity', () => {
  const all = numbered([accepted('c1', 'hello'), delivered('c1'), started('u1'), completed('u1'), text('i1', 'done'), turnEnded('t1')]);
  const window = openTranscript(all.slice(3));
  const whole = prepend(window, all.slice(0, 3));

  expect(whole).toEqual(openTranscript(all));
  expect(itemOf(whole, 'i1')).toBe(itemOf(window, 'i1'));
});

test('an item with only the head of a text says where the full text is', () => {
  const blobs = { text: { sha256: 'a'.repeat(64), bytes: 70_000 } };
  const transcript = open({ ...accepted('c1', 'head'), blobs }, delivered('c1'), { ...text('i1', 'head'), blobs });

  expect(itemOf(transcript, 'input:c1')).toMatchObject({ whole: { bytes: 70_000 } });
  expect(itemOf(transcript, 'i1')).toMatchObject({ whole: { bytes: 70_000 } });
});

test('events that are already known change nothing', () => {
  const all = numbered([accepted('c1', 'hello'), delivered('c1')]);
  const transcript = openTranscript(all);

  expect(append(transcript, all)).toBe(transcript);
  expect(prepend(transcript, all)).toBe(transcript);
});
