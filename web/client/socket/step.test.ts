import { expect, test } from 'vitest';
import type { ClientFrame, ServerFrame } from '../../../src/protocol/frame.ts';
import { ServerFrame as ServerFrameSchema } from '../../../src/protocol/frame.ts';
import { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import type { OutboxEntry } from '../storage/outbox.ts';
import { CONNECT_LIMIT_MS, type Effect, type Link, type LinkInput, NUDGE_LIMIT_MS, newLink, PING_EVERY_MS, SILENCE_LIMIT_MS, wakeAt } from './link.ts';
import { step } from './step.ts';

const entry = (commandId: string): OutboxEntry => ({
  commandId,
  sessionId: 's',
  createdAt: 0,
  frame: { type: 'input', sessionId: SessionId.parse('s'), commandId: CommandId.parse(commandId), text: 'hi' },
});
const frame = (body: Readonly<Record<string, unknown>>): LinkInput => ({ kind: 'frame', frame: ServerFrameSchema.parse(body) });
const welcome = (id: string) => frame({ type: 'welcome', v: 1, serverId: 'x', you: { id, name: id, role: 'driver' } });
const WELCOME = welcome('anna');
const notice = (seq: number) => ({ type: 'notice.shown', seq, at: '2026-01-01T00:00:00.000Z', level: 'info', text: `n${seq}` });
const event = (seq: number): LinkInput => frame({ type: 'event', sessionId: 's', seq, event: notice(seq) });

/** The link ignores the snapshot's session. */
const snapshot = (seq: number): LinkInput => ({
  kind: 'frame',
  frame: { type: 'snapshot', sessionId: 's', events: [], firstSeq: seq + 1, seq, partial: [], session: {} } as unknown as ServerFrame,
});

interface Result {
  link: Link;
  effects: Effect[];
}

function run(inputs: readonly (LinkInput | number)[], from: Link = newLink()): Result {
  let link = from;
  let now = 1000;
  let effects: Effect[] = [];
  for (const input of inputs) {
    if (typeof input === 'number') now += input;
    else {
      const next = step(link, input, { now, random: 0.5 });
      link = next.link;
      effects = [...next.effects];
    }
  }
  return { link, effects };
}

const sent = (effects: readonly Effect[]): ClientFrame[] => effects.flatMap((effect) => (effect.kind === 'transmit' ? [effect.frame] : []));
const OPEN: readonly LinkInput[] = [{ kind: 'start' }, { kind: 'opened' }, WELCOME];
const SUBSCRIBED: readonly LinkInput[] = [...OPEN, { kind: 'subscribe', sessionId: 's' }, snapshot(4)];

test('the link connects, says hello, and after the welcome subscribes and resends in sending order', () => {
  const before = run([
    { kind: 'subscribe', sessionId: 's' },
    { kind: 'send', entry: entry('c1') },
    { kind: 'send', entry: entry('c2') },
  ]).link;
  const { effects } = run(OPEN, before);

  expect(sent(effects).map((one) => ('commandId' in one ? one.commandId : one.type))).toEqual(['subscribe', 'c1', 'c2']);
});

test('[R290] a page sends the key of its sign-in with its hello, and a program without one sends none', () => {
  const hello = (key?: string) => sent(step(newLink(), { kind: 'opened', key }, { now: 0, random: 0 }).effects);
  expect([hello('secret'), hello()]).toEqual([[{ type: 'hello', v: 1, key: 'secret' }], [{ type: 'hello', v: 1 }]]);
});

test('after a disconnect the link subscribes from its last event', () => {
  const { effects } = run([...SUBSCRIBED, event(5), { kind: 'closed', code: 1006 }, ...OPEN]);

  expect(sent(effects)).toEqual([{ type: 'subscribe', sessionId: 's', after: 5 }]);
});

test('events and deltas are delivered only after the snapshot, in order and once', () => {
  const before = run([...OPEN, { kind: 'subscribe', sessionId: 's' }, event(5)]);
  const next = run([...SUBSCRIBED, event(5)]);
  const again = run([...SUBSCRIBED, event(5), event(5)]);

  expect(before.effects).toEqual([]);
  expect(next.effects.map((effect) => effect.kind)).toEqual(['deliver']);
  expect(again.effects).toEqual([]);
});

test('a gap is requested once, however many events follow', () => {
  const gap = run([...SUBSCRIBED, event(7)]);
  const more = run([event(8)], gap.link);

  expect(sent(gap.effects)).toEqual([{ type: 'subscribe', sessionId: 's', after: 4 }]);
  expect(more.effects).toEqual([]);
});

test('acknowledged and refused entries are not sent again', () => {
  const ack = frame({ type: 'ack', commandId: 'c1', sessionId: 's', seq: 5 });
  const refused = frame({ type: 'refused', commandId: 'c2', code: 'queue-full', message: 'full' });
  const { link } = run([...OPEN, { kind: 'send', entry: entry('c1') }, { kind: 'send', entry: entry('c2') }, ack, refused]);
  const { effects } = run([{ kind: 'closed', code: 1006 }, ...OPEN], link);

  expect(sent(effects)).toEqual([]);
});

test('a silent socket is pinged, then dropped', () => {
  const pinged = run([...OPEN, PING_EVERY_MS, { kind: 'tick' }]);
  const silent = run([...OPEN, SILENCE_LIMIT_MS, { kind: 'tick' }]);
  const answered = run([...OPEN, PING_EVERY_MS, { kind: 'tick' }, { kind: 'received' }, SILENCE_LIMIT_MS - 1, { kind: 'tick' }]);

  expect(sent(pinged.effects)).toEqual([{ type: 'ping' }]);
  expect([silent.effects[0]?.kind, silent.link.phase.name]).toEqual(['disconnect', 'waiting']);
  expect(answered.link.phase.name).toBe('open');
});

test('a server that sends no welcome in time is dropped', () => {
  const { link, effects } = run([{ kind: 'start' }, CONNECT_LIMIT_MS, { kind: 'tick' }]);

  expect([effects[0]?.kind, link.phase.name]).toEqual(['disconnect', 'waiting']);
});

test('delays grow with every failure, and a nudge ends them at once', () => {
  const fail: readonly LinkInput[] = [{ kind: 'nudge' }, { kind: 'closed', code: 1006 }];
  const waits = [1, 2, 3, 9].map((times) => {
    const { link } = run(Array.from({ length: times }, () => fail).flat());
    return (wakeAt(link) ?? 0) - 1000;
  });

  expect(waits).toEqual([300, 600, 1200, 11_250]);
  expect(run([...fail, { kind: 'nudge' }]).effects).toEqual([{ kind: 'connect' }]);
});

test('a nudge pings an open socket', () => {
  const { link, effects } = run([...OPEN, { kind: 'nudge' }]);

  expect(sent(effects)).toEqual([{ type: 'ping' }]);
  expect((wakeAt(link) ?? 0) - 1000).toBe(NUDGE_LIMIT_MS);
});

test('a nudge does not drop a socket that is uploading images', () => {
  const { frame: words, ...rest } = entry('c1');
  const withImages = { ...rest, frame: { ...words, images: [{ mediaType: 'image/png', base64: 'AAAA' }] } } as OutboxEntry;
  const { link, effects } = run([...OPEN, { kind: 'send', entry: withImages }, { kind: 'nudge' }]);

  expect(sent(effects)).toEqual([{ type: 'ping' }]);
  expect(run([NUDGE_LIMIT_MS, { kind: 'tick' }], link).link.phase.name).toBe('open');
});

test('an interrupt without a connection is not stored for another turn', () => {
  const interrupt = { type: 'interrupt', sessionId: SessionId.parse('s'), commandId: CommandId.parse('c') } as const;
  const { link } = run([{ kind: 'say', frame: interrupt }]);

  expect(sent(run(OPEN, link).effects)).toEqual([]);
});

test('the link stops retrying if the server has another revision or rejects the sign-in', () => {
  const revision = run([...OPEN, { kind: 'closed', code: 4400 }]).link.phase;
  const rejected = run([{ kind: 'start' }, { kind: 'closed', code: 1006 }, { kind: 'unauthorised' }]).link;

  expect(revision).toEqual({ name: 'stopped', why: 'revision' });
  expect(wakeAt(rejected)).toBeUndefined();
});

test('a socket that never opened triggers a sign-in check', () => {
  expect(run([{ kind: 'start' }, { kind: 'closed', code: 1006 }]).effects).toEqual([{ kind: 'probe' }]);
});

test('[R168] one user’s unsent entries are never sent as another’s, and are sent when that user is back', () => {
  const left = newLink([{ ...entry('annas'), by: 'anna' }], 'anna');
  const asOwner = run([{ kind: 'start' }, { kind: 'opened' }, welcome('owner')], left);
  const asAnna = run([{ kind: 'closed', code: 1006 }, { kind: 'start' }, { kind: 'opened' }, welcome('anna')], asOwner.link);

  expect(sent(asOwner.effects)).toEqual([]);
  expect(asOwner.link.unacknowledged.size).toBe(0);
  expect(sent(asAnna.effects)).toEqual([entry('annas').frame]);
});

test('entries of an open page are held back when someone else signs in', () => {
  const anna = run([...OPEN, { kind: 'send', entry: entry('annas') }]).link;
  const { link, effects } = run([{ kind: 'closed', code: 1006 }, { kind: 'start' }, { kind: 'opened' }, welcome('owner')], anna);

  expect(sent(effects)).toEqual([]);
  expect([...link.ofOthers.values()]).toEqual([{ ...entry('annas'), by: 'anna' }]);
});

test('entries made before the welcome belong to the last user, and are sent only when the welcome confirms it', () => {
  const offline = run([{ kind: 'send', entry: entry('c1') }], newLink([], 'anna')).link;
  const confirmed = run(OPEN, offline);
  const other = run([{ kind: 'start' }, { kind: 'opened' }, welcome('owner')], offline);

  expect(sent(confirmed.effects)).toEqual([entry('c1').frame]);
  expect(sent(other.effects)).toEqual([]);
  expect(other.link.ofOthers.get('c1')?.by).toBe('anna');
});

test('in a new browser the page’s entries go to the first user who signs in, and stay theirs', () => {
  const { effects } = run([{ kind: 'send', entry: entry('c1') }, ...OPEN]);

  expect(effects).toContainEqual({ kind: 'keep', entry: { ...entry('c1'), by: 'anna' } });
  expect(sent(effects)).toEqual([entry('c1').frame]);
});

test('entries stored without an author by an earlier release are never sent', () => {
  const { link, effects } = run(OPEN, newLink([entry('old')]));

  expect(sent(effects)).toEqual([]);
  expect(effects).toContainEqual({ kind: 'unattributed', entry: entry('old') });
  expect(link.unacknowledged.size + link.ofOthers.size).toBe(0);
});

test('a server that doesn’t say who we are gets nothing', () => {
  const { link, effects } = run([{ kind: 'send', entry: entry('c1') }, { kind: 'start' }, { kind: 'opened' }, frame({ type: 'welcome', v: 1, serverId: 'x' })]);

  expect(link.phase).toEqual({ name: 'stopped', why: 'revision' });
  expect(sent(effects)).toEqual([]);
});

test('a socket that is still uploading is not silent', () => {
  const slow: readonly (LinkInput | number)[] = [SILENCE_LIMIT_MS - 1, { kind: 'tick', isDraining: true }, SILENCE_LIMIT_MS - 1, { kind: 'tick' }];

  expect(run([...OPEN, ...slow]).link.phase.name).toBe('open');
  expect(run([...OPEN, ...slow, 1, { kind: 'tick' }]).link.phase.name).toBe('waiting');
});

test('[R704] a message for a session whose machine is away waits, and goes out in order under the same id once it is back', () => {
  const away = (commandId: string) => frame({ type: 'refused', commandId, sessionId: 's', code: 'owner-away', message: 'away' });
  const status = (session: object): LinkInput => ({
    kind: 'frame',
    frame: { type: 'status', sessionId: 's', status: 'idle', session } as unknown as ServerFrame,
  });
  const waiting = run([...SUBSCRIBED, { kind: 'send', entry: entry('c1') }, { kind: 'send', entry: { ...entry('c2'), createdAt: 1 } }, away('c1'), away('c2')]);
  expect(waiting.effects).toEqual([]);
  expect([...waiting.link.unacknowledged.keys()]).toEqual(['c1', 'c2']);
  expect(sent(run([status({ lastKnown: { at: '', node: 'b' } })], waiting.link).effects)).toEqual([]);
  const back = run([status({})], waiting.link);
  expect(sent(back.effects).map((one) => ('commandId' in one ? one.commandId : one.type))).toEqual(['c1', 'c2']);
  expect(sent(run([status({})], back.link).effects)).toEqual([]);
  // Also when nobody says that it is back, and after an outcome that is unknown.
  const unknown = run([frame({ type: 'refused', commandId: 'c1', sessionId: 's', code: 'unknown-outcome', message: '?' })], back.link);
  expect(sent(run([frame({ type: 'pong' })], unknown.link).effects).length).toBe(2);
  const done = run(
    [
      frame({ type: 'ack', commandId: 'c1', sessionId: 's', seq: 5 }),
      frame({ type: 'refused', commandId: 'c2', sessionId: 's', code: 'queue-full', message: 'full' }),
    ],
    unknown.link,
  );
  expect([...done.link.unacknowledged.keys()]).toEqual([]);
});
