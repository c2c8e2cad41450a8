import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import type { AuditEntry } from '../../../protocol/api/audit.ts';
import type { SessionId } from '../../../protocol/ids.ts';
import { cell } from '../audit-export.ts';

const S1 = 's1' as SessionId;
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
});
afterEach(() => server.close());

const ask = async (query: string) => (await server.fetch(`/api/audit?${query}`)).json();

/** As many decisions as a test needs, without sending as many requests. */
const decide = (count: number, title = 'named') => {
  const actor = { kind: 'person', id: 'ada:1', name: 'ada', from: 'page 127.0.0.1' } as const;
  for (let n = 1; n <= count; n += 1) server.engine.observe(S1, { type: 'meta.changed', title: `${title} ${n}`, actor });
};

test('the audit says who decided what, when and from where, newest first', async () => {
  await server.post('/api/sessions/s1/input', { text: 'hello', commandId: 'c1' }, { authorization: `Bearer ${server.token.driver}` });
  expect((await ask('')).entries).toMatchObject([
    {
      action: 'input.accepted',
      actor: { name: 'dora', from: 'http 127.0.0.1' },
      sessionId: 's1',
      seq: 2,
      commandId: 'c1',
      words: 'sent a message (5 characters)',
    },
    { action: 'session.created', actor: { name: 'owner' } },
  ]);
});

test('an audit log whose entries are still being written says so', async () => {
  expect(await ask('')).not.toHaveProperty('incomplete');
  server.engine.leaveAuditIncomplete();
  expect(await ask('')).toMatchObject({ entries: [{ action: 'session.created' }], incomplete: true });
});

test('it comes in pages, each entry once', async () => {
  decide(6);
  const seen: number[] = [];
  for (let cursor: number | undefined = 0; cursor !== undefined; ) {
    const page: { entries: AuditEntry[]; nextCursor?: number } = await ask(`limit=3${cursor ? `&cursor=${cursor}` : ''}`);
    seen.push(...page.entries.map((entry) => entry.id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
});

test('an invalid query is refused', async () => {
  for (const query of ['limit=0', 'limit=1001', 'cursor=x', 'format=pdf', 'after=xx', 'before=2026-99-99', 'q=%00', 'actor=a%00b'])
    expect((await server.fetch(`/api/audit?${query}`)).status).toBe(400);
});

test('a time can be in any time zone', async () => {
  const asked: unknown[] = [];
  const { audit } = server.engine;
  server.engine.audit = (filter) => {
    asked.push(filter.after);
    return audit(filter);
  };
  for (const after of ['2026-03-01', '2026-03-01T01:00:00%2B01:00']) expect((await server.fetch(`/api/audit?after=${after}`)).status).toBe(200);
  expect(asked).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
});

test('a viewer can’t see it', async () => {
  expect((await server.fetch('/api/audit', { headers: { authorization: `Bearer ${server.token.viewer}` } })).status).toBe(403);
});

test('the export has every entry, one JSON object per line', async () => {
  decide(1234);
  const response = await server.fetch('/api/audit?format=ndjson');
  expect(response.headers.get('content-type')).toContain('application/x-ndjson');
  expect(response.headers.get('content-disposition')).toContain('attachment');
  const ids = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual(Array.from({ length: 1235 }, (_, index) => 1235 - index));
});

test('a spreadsheet reads the export as text, never as a formula', async () => {
  decide(1, '=HYPERLINK("http://x","y")');
  server.engine.observe(S1, { type: 'meta.changed', star: true, actor: { kind: 'person', id: '@SUM(1)', name: '+1', from: '-1' } });
  const text = await (await server.fetch('/api/audit?format=csv')).text();
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toBe('id,at,actor,actorId,actorKind,from,action,sessionId,seq,requestId,commandId,words');
  expect(lines[1]).toContain('"\'+1","\'@SUM(1)","person","\'-1","meta.changed","s1"');
  expect(lines[2]).toContain('"named it ""=HYPERLINK(""http://x"",""y"") 1"""');
  expect(['=1', '+1', '-1', '@x', '\t=1', ' =1', '\r=1', 'a\n=1', 'plain', undefined, 7].map(cell)).toEqual([
    '"\'=1"',
    '"\'+1"',
    '"\'-1"',
    '"\'@x"',
    '"\'\t=1"',
    '"\' =1"',
    '"\'\r=1"',
    '"a\n=1"',
    '"plain"',
    '',
    '7',
  ]);
});
