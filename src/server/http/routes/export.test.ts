import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleEvents } from '../../../../test/support/domain/export-samples.ts';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import type { EventBody } from '../../../protocol/event.ts';
import type { SessionId } from '../../../protocol/ids.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1', title: 'Über <b>"alles"</b>\r\nX: y' });
});
afterEach(() => server.close());

const S1 = 's1' as SessionId;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const get = (query: string) => server.fetch(`/api/sessions/s1/export${query}`);
const bodies = (words: string): EventBody[] => sampleEvents(words).map(({ seq: _seq, at: _at, ...body }) => body as EventBody);
const text = (image: EventBody['type'], sha256: string, bytes: number): EventBody => ({
  type: 'user.message',
  text: image,
  origin: 'person',
  images: [{ mediaType: 'image/png', sha256, bytes }],
});

test('[R191] an HTML export is a download that runs nothing, with a file name that is safe everywhere', async () => {
  server.engine.observe(S1, ...bodies('<script>alert(1)</script>'));
  const response = await get('?format=html');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="uber-b-alles-b-x-y-s1.html"');
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const html = await response.text();
  expect(html).toContain('&#60;script&#62;');
  expect(html).not.toContain('<script');
  expect(html.endsWith('</html>\n')).toBe(true);
});

test('the default format is Markdown, an unknown one is refused, and a missing session is not found', async () => {
  server.engine.observe(S1, ...bodies('words'));
  const response = await get('');
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await response.text()).toContain('> Please: words');
  expect((await get('?format=pdf')).status).toBe(400);
  expect((await server.fetch('/api/sessions/s2/export')).status).toBe(404);
});

test('a JSON export has the session and every event, and says its version', async () => {
  server.engine.observe(S1, ...Array.from({ length: 30 }, () => bodies('x')).flat());
  const document = await (await get('?format=json')).json();
  expect(document).toMatchObject({ format: 'signalbox-session', version: 1, session: { id: 's1' } });
  expect(document.events).toEqual(server.engine.events(S1, { after: 0, limit: 100_000 }));
});

test('images are included when their bytes are images and within the limit', async () => {
  const picture = server.engine.putBlob(PNG);
  const page = server.engine.putBlob(Buffer.from('<script>alert(1)</script>'));
  server.engine.observe(S1, text('user.message', picture, PNG.length), text('user.message', page, 30), text('user.message', picture, 60_000_000));
  const html = await (await get('?format=html')).text();
  expect(html.match(/<img [^>]*>/g)).toEqual([`<img alt="image" src="data:image/png;base64,${PNG.toString('base64')}">`]);
  expect(html).toContain('An image of 30 bytes was left out.');
  expect(html).toContain('An image of 60000000 bytes was left out.');
});

test('a note added long after its message is shown at the message', async () => {
  const [first] = server.engine.observe(S1, ...bodies('early'));
  const later = bodies('later').filter((body) => body.type !== 'item.marked' && body.type !== 'session.created');
  server.engine.observe(S1, ...Array.from({ length: 60 }, (_, n) => later.map((body) => renamed(body, n))).flat());
  const seq = (first?.seq ?? 0) + 16;
  await server.fetch(`/api/sessions/s1/items/${seq}`, {
    method: 'PATCH',
    body: JSON.stringify({ note: 'the one that mattered' }),
    headers: { 'content-type': 'application/json' },
  });
  const md = await (await get('')).text();
  expect(md.indexOf('the one that mattered')).toBeGreaterThan(0);
  expect(md.indexOf('the one that mattered')).toBeLessThan(md.indexOf('Please: later'));
});

const renamed = (body: EventBody, n: number): EventBody =>
  JSON.parse(JSON.stringify(body).replace(/"(c1|t1|m1|m2|m3|u1|u2|u3|q1)"/g, (_all, id) => `"${id}-${n}"`));
