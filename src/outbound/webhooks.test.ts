import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as Reference } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { addressProblem } from '../domain/policy/webhook-address.ts';
import type { Journal } from '../journal/journal.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import { Problems } from '../problems/problems.ts';
import type { Webhook } from '../protocol/api/outside/outside.ts';
import type { EventBody } from '../protocol/event.ts';
import type { SessionId } from '../protocol/ids.ts';
import { silentLog } from '../server/shared/log.ts';
import { writeFileAtomically } from '../server/shared/write-file-atomically.ts';
import { type Outbound, openOutbound } from './webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const DAY_MS = 24 * 60 * 60_000;
const S1 = 's1' as SessionId;
const HIDDEN = 'hidden' as SessionId;

interface Received {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

let folder: string;
let journal: Journal;
let target: Server;
let received: Received[];
let respond: (response: ServerResponse, request: IncomingMessage) => void;
let hooks: Webhook[];
let outbound: Outbound | undefined;
let now: number;
let problems: Problems;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-webhooks-'));
  journal = openSqliteJournal({ dataDir: folder });
  problems = new Problems(silentLog);
  received = [];
  now = Date.now();
  respond = (response) => void response.writeHead(204).end();
  target = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      received.push({ id: headers['webhook-id'] ?? '', headers, body });
      respond(response, request);
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  hooks = [hook('hook-1', ['notice.shown'])];
});
afterEach(async () => {
  await outbound?.close();
  outbound = undefined;
  target.closeAllConnections();
  target.close();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (): string => {
  const address = target.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/in`;
};
const hook = (id: string, events: string[]): Webhook => ({
  id,
  url: urlOf(),
  events,
  createdAt: '',
  createdBy: { kind: 'person', id: 'owner', name: 'owner' },
});

function open(): Outbound {
  outbound = openOutbound({
    dataDir: folder,
    node: 'n1',
    journal,
    problems,
    webhooks: () => hooks,
    secretOf: () => SECRET,
    maySee: (_, session) => session !== HIDDEN,
    write: writeFileAtomically,
    now: () => now,
    pausesMs: [1],
  });
  return outbound;
}

function append(text: string, session = S1, type: 'notice.shown' | 'suggestion.offered' = 'notice.shown'): void {
  const event: EventBody = type === 'notice.shown' ? { type, level: 'info', text } : { type, text };
  journal.append({ session, after: journal.lastSeq(session), at: new Date(now).toISOString(), events: [event] });
  outbound?.wake();
}

const texts = (): readonly string[] => received.map(({ body }) => JSON.parse(body).text);

test('[R541] the reference library verifies what arrives: the event itself, with an id that names it', async () => {
  append('before anybody listened');
  open();
  append('hello');
  append('not asked for', S1, 'suggestion.offered');
  append('in a private session', HIDDEN);
  append('bye');
  await waitFor('two events', () => received.length >= 2);
  expect(texts()).toEqual(['hello', 'bye']);
  const [first] = received;
  expect(new Reference(SECRET).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({ sessionId: 's1', type: 'notice.shown', text: 'hello', seq: 2 });
  expect(first?.id).toBe('n1:2:hook-1');
  expect(() => new Reference(SECRET).verify(`${first?.body} `, first?.headers ?? {})).toThrow();
});

test('[R542] an event that was not accepted comes again with the same id, before any later one, also after a restart', async () => {
  open();
  let fails = 2;
  respond = (response) => void response.writeHead(fails-- > 0 ? 500 : 200).end();
  append('one');
  append('two');
  await waitFor('both', () => texts().includes('two'));
  expect(texts()).toEqual(['one', 'one', 'one', 'two']);
  expect(new Set(received.slice(0, 3).map(({ id }) => id)).size).toBe(1);
  expect(outbound?.state('hook-1')).toMatchObject({ state: 'working' });

  respond = (response) => void response.socket?.destroy();
  append('three');
  await waitFor('a failure', () => outbound?.state('hook-1').state === 'failing');
  expect(problems.current()).toHaveLength(1);
  await outbound?.close();
  const before = received.findLast(() => true)?.id;
  received = [];
  respond = (response) => void response.writeHead(200).end();
  open();
  await waitFor('the event again', () => received.length > 0);
  expect([texts(), received[0]?.id]).toEqual([['three'], before]);
});

test('[R543] after three days of failures a webhook is parked and says so, and continues where it was when somebody resumes it', async () => {
  open();
  respond = (response) => void response.writeHead(503).end();
  append('waits');
  await waitFor('a failure', () => outbound?.state('hook-1').state === 'failing');
  now += 3 * DAY_MS + 1;
  await waitFor('parked', () => outbound?.state('hook-1').state === 'parked');
  expect(outbound?.state('hook-1').problem).toContain('503');
  expect(problems.current()).toHaveLength(1);
  respond = (response) => void response.writeHead(200).end();
  const tries = received.length;
  append('later');
  expect(received).toHaveLength(tries);
  expect(outbound?.resume('hook-1')).toBe(true);
  await waitFor('what waited', () => texts().includes('later'));
  expect(texts().slice(-2)).toEqual(['waits', 'later']);
  expect(outbound?.resume('nothing')).toBe(false);
});

test('[R544] a redirect is not followed, and one slow target does not hold up another', async () => {
  hooks = [hook('hook-1', ['*']), hook('hook-2', ['notice.*'])];
  const slow: ServerResponse[] = [];
  respond = (response, request) => {
    if (String(request.headers['webhook-id']).endsWith('hook-1')) slow.push(response);
    else response.writeHead(200).end();
  };
  open();
  append('a');
  append('b');
  await waitFor('the fast one', () => received.filter(({ id }) => id.endsWith('hook-2')).length === 2);
  expect(slow).toHaveLength(1);
  respond = (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
  slow[0]?.writeHead(307, { location: urlOf() }).end();
  await waitFor('the refused redirect', () => outbound?.state('hook-1').state === 'failing');
  expect(outbound?.state('hook-1').problem).toMatch(/redirect/i);
});

test('[R544] only https, or http on this machine, and no password in the address', () => {
  for (const fine of ['https://example.com/x', 'http://127.0.0.1:8/x', 'http://localhost:8', 'http://[::1]:8/']) expect(addressProblem(fine)).toBeUndefined();
  for (const wrong of ['http://example.com', 'http://127.0.0.1.example.com', 'ftp://127.0.0.1', 'https://a:b@example.com', 'nonsense', 'http://10.0.0.1/'])
    expect([wrong, addressProblem(wrong)]).toEqual([wrong, expect.any(String)]);
});
