import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPushEndpoint, type PushEndpoint } from '../../../test/support/push-endpoint.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { RequestId, SessionId, TurnId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { silentLog } from '../shared/log.ts';
import { openPush, type Push } from './push.ts';
import { isQuiet } from './quiet.ts';

const S1 = 's1' as SessionId;
const OWNER = { kind: 'person', id: 'owner', name: 'owner' } as const;

let server: TestServer;
let endpoint: PushEndpoint;
let push: Push;
const now = Date.parse('2026-05-01T12:00:00Z');

beforeEach(async () => {
  endpoint = await openPushEndpoint();
  server = await startTestServer();
  open();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1', title: 'Tidy up' });
});
afterEach(async () => {
  await push.close();
  await server.close();
  await endpoint.close();
});

function open() {
  const { engine, tokens, dataDir } = server;
  push = openPush({ dataDir, engine, tokens, hosts: [endpoint.host], log: silentLog, now: () => now, pausesMs: [1, 1] });
}

const subscribe = (actor: Parameters<Push['subscribe']>[0] = OWNER, name: string = actor.id) =>
  push.subscribe(actor, { device: name, ...endpoint.target(name) });
const wants = (requestId: string, kind: 'tool' | 'question' = 'tool'): EventBody => ({
  type: 'permission.requested',
  requestId: requestId as RequestId,
  agentRequestId: requestId,
  tool: 'Run',
  input: { command: 'npm test' },
  subject: { kind: 'command', command: 'npm test' },
  kind,
});
const ends = (more: Partial<Extract<EventBody, { type: 'turn.completed' }>> = {}): EventBody => ({
  type: 'turn.completed',
  turnId: 't1' as TurnId,
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...more,
});
const arrived = (count: number) => waitFor(`${count} messages`, () => endpoint.arrived.length >= count);
const bodies = () => endpoint.arrived.map(({ message }) => message.body);

test('a person who wants news of requests gets an encrypted message with the link and the request to answer', async () => {
  await subscribe();
  const [event] = server.engine.observe(S1, wants('r1'));
  await arrived(1);
  expect(endpoint.arrived[0]).toMatchObject({
    message: { title: 'Tidy up', body: 'Stand-in wants to run: npm test', path: `s/s1#e${event?.seq}`, requestId: 'r1' },
    headers: { 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400', authorization: expect.stringMatching(/^vapid t=/) },
  });
});

test('a question can only be answered in the page, and a viewer can’t answer anything', async () => {
  const vera = { kind: 'person', id: server.tokens.claimed('vera')?.id ?? '', name: 'vera' } as const;
  await subscribe(vera);
  await push.settle(vera, { of: 'all' });
  await subscribe();
  server.engine.observe(S1, wants('r1', 'question'), wants('r2'));
  await arrived(4);
  const answerable = endpoint.arrived.filter(({ message }) => message.requestId !== undefined);
  expect(answerable.map(({ name, message }) => [name, message.requestId])).toEqual([['owner', 'r2']]);
});

test('a turn that ended notifies when nothing is queued, a failed one as failed, an interrupted one not at all', async () => {
  await subscribe();
  server.engine.observe(S1, { type: 'session.status', status: 'busy', cause: 'turn.started' }, ends());
  server.engine.observe(S1, { type: 'session.status', status: 'idle', cause: 'turn.completed' }, ends({ interrupted: true }));
  server.engine.observe(S1, ends());
  await arrived(1);
  server.engine.observe(S1, ends({ isError: true, errors: ['The model is overloaded'] }));
  await arrived(2);
  server.engine.observe(S1, { type: 'session.status', status: 'failed', cause: 'session.exited' });
  await arrived(3);
  expect(bodies().map((body) => body.split('.')[0])).toEqual(['Finished', 'Failed', 'Failed']);
  expect(endpoint.arrived[1]?.message.body).toBe('Failed. The model is overloaded');
  expect(new Set(endpoint.arrived.map(({ headers }) => headers.topic)).size).toBe(1);
});

test('[R241] nobody gets news during quiet hours, or news they don’t want, can’t see or have muted', async () => {
  const dora = { kind: 'person', id: server.tokens.claimed('dora')?.id ?? '', name: 'dora' } as const;
  await subscribe(dora);
  server.engine.observe(S1, wants('somebody elses'));
  await push.settle(dora, { of: 'all' });
  await subscribe();
  await push.settle(OWNER, { waiting: false });
  server.engine.observe(S1, wants('for dora'));
  await arrived(1);
  await push.settle(dora, { mute: S1 });
  server.engine.observe(S1, wants('muted'));
  await push.settle(dora, { unmute: S1, quiet: { from: '22:00', to: '13:00', timeZone: 'UTC' } });
  server.engine.observe(S1, wants('asleep'));
  await push.settle(dora, { quiet: null });
  server.engine.observe(S1, { type: 'meta.changed', closed: true }, wants('closed'));
  await push.settle(OWNER, { waiting: true });
  server.engine.observe(S1, wants('for the owner'));
  await arrived(2);
  expect(endpoint.arrived.map(({ name, message }) => [name === 'owner', message.requestId])).toEqual([
    [false, 'for dora'],
    [true, 'for the owner'],
  ]);
});

test('[R242] a server that restarts sends requests that came in the meantime, and none twice', async () => {
  await subscribe();
  server.engine.observe(S1, wants('r1'));
  await arrived(1);
  await push.close();
  server.engine.observe(S1, wants('r2'));
  open();
  await arrived(2);
  server.engine.observe(S1, wants('r3'));
  await arrived(3);
  expect(endpoint.arrived.map(({ message }) => message.requestId)).toEqual(['r1', 'r2', 'r3']);
});

test('a busy service is retried, a refusal is shown, and a browser that is gone is removed', async () => {
  await subscribe();
  endpoint.answers.push({ status: 503 }, { status: 429, headers: { 'retry-after': '0' } });
  expect(await push.test(OWNER)).toMatchObject([{ device: 'owner' }]);
  expect([endpoint.arrived.length, push.state(OWNER).devices[0]?.problem]).toEqual([1, undefined]);
  endpoint.answers.push({ status: 400 });
  expect(await push.test(OWNER)).toMatchObject([{ problem: 'Its push service answered with status 400' }]);
  endpoint.answers.push({ status: 302, headers: { location: '/elsewhere' } }, ...[1, 2].map(() => ({ status: 302, headers: { location: '/elsewhere' } })));
  expect((await push.test(OWNER))[0]?.problem).toMatch(/Can’t reach its push service/);
  endpoint.answers.push({ status: 410 });
  expect(await push.test(OWNER)).toEqual([]);
});

test('a browser’s keys are not used after its token is revoked', async () => {
  const dora = { kind: 'person', id: server.tokens.claimed('dora')?.id ?? '', name: 'dora' } as const;
  await subscribe(dora);
  await push.settle(dora, { of: 'all' });
  server.tokens.revoke('dora');
  server.engine.observe(S1, wants('r1'));
  await subscribe();
  server.engine.observe(S1, wants('r2'));
  await arrived(1);
  expect(endpoint.arrived.map(({ name }) => name)).toEqual(['owner']);
});

test('a browser belongs to the person who subscribed with it last', async () => {
  const dora = { kind: 'person', id: server.tokens.claimed('dora')?.id ?? '', name: 'dora' } as const;
  await subscribe(dora, 'shared');
  await subscribe(OWNER, 'shared');
  expect([push.state(dora).devices.length, push.state(OWNER).devices.length]).toEqual([0, 1]);
});

test('[R243] messages go only to push services, over https, and to no more browsers than the limit', async () => {
  const keys = endpoint.target('x').keys;
  const to = (address: string) => push.subscribe(OWNER, { device: 'x', endpoint: address, keys });
  expect(await to('https://10.0.0.7/admin')).toMatchObject({ refused: 'bad-request', message: expect.stringContaining('SIGNALBOX_PUSH_HOSTS') });
  expect(await to('https://fcm.googleapis.com.evil.example/x')).toMatchObject({ refused: 'bad-request' });
  expect(await to('http://fcm.googleapis.com/x')).toMatchObject({ refused: 'bad-request', message: 'Push services must use https.' });
  expect(await to('https://updates.push.services.mozilla.com/wpush/v2/x')).toMatchObject({ device: 'x' });
  for (let more = 1; more < LIMITS.pushDevices; more++) await subscribe(OWNER, `browser-${more}`);
  expect(await subscribe(OWNER, 'one too many')).toMatchObject({ refused: 'too-large' });
  expect(await subscribe(OWNER, 'browser-1')).toMatchObject({ device: 'browser-1' });
});

test('an invalid time zone is refused, and quiet hours can cross midnight', async () => {
  expect(await push.settle(OWNER, { quiet: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } })).toMatchObject({ refused: 'bad-request' });
  const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
  const at = (time: string) => isQuiet(night, Date.parse(`2026-05-01T${time}:00Z`));
  expect(['19:59', '20:00', '23:30', '04:59', '05:00'].map(at)).toEqual([false, true, true, true, false]);
  expect(isQuiet({ ...night, from: '07:00' }, now)).toBe(false);
});
