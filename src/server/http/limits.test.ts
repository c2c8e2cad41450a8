import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { LIMITS } from '../../protocol/limits.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
});
afterAll(() => server.close());

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const image = (bytes: number) => ({ mediaType: 'image/png', base64: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length, 1)]).toString('base64') });
const called = (mediaType: string, start: string) => ({ mediaType, base64: Buffer.from(start, 'latin1').toString('base64') });
const max = LIMITS.messageTextBytes;

const messages: readonly (readonly [name: string, body: () => object, status: number])[] = [
  ['text of exactly the limit', () => ({ text: 'a'.repeat(max) }), 202],
  ['one byte more', () => ({ text: 'a'.repeat(max + 1) }), 413],
  ['fewer characters but more bytes', () => ({ text: 'ü'.repeat(max / 2 + 1) }), 413],
  ['exactly as many bytes in fewer characters', () => ({ text: 'ü'.repeat(max / 2) }), 202],
  ['an image of exactly the limit', () => ({ text: 'x', images: [image(LIMITS.imageBytes)] }), 202],
  ['an image one byte larger', () => ({ text: 'x', images: [image(LIMITS.imageBytes + 1)] }), 413],
  ['as many images as allowed', () => ({ text: 'x', images: Array.from({ length: LIMITS.imagesPerMessage }, () => image(9)) }), 202],
  ['one image too many', () => ({ text: 'x', images: Array.from({ length: LIMITS.imagesPerMessage + 1 }, () => image(9)) }), 422],
  ['an image that is not base64', () => ({ text: 'x', images: [{ mediaType: 'image/png', base64: '!!!!' }] }), 400],
  ['an image of a type that agents don’t accept', () => ({ text: 'x', images: [{ mediaType: 'image/svg+xml', base64: 'AAAA' }] }), 400],
  ['an empty image', () => ({ text: 'x', images: [{ mediaType: 'image/png', base64: '' }] }), 422],
  ['an image that isn’t one', () => ({ text: 'x', images: [called('image/png', '<svg onload=alert(1)>')] }), 422],
  ['an image of a different type than declared', () => ({ text: 'x', images: [called('image/png', 'GIF89a and more')] }), 422],
  [
    'one image of each kind',
    () => ({
      text: 'x',
      images: [image(9), called('image/jpeg', '\xff\xd8\xff\xe0'), called('image/gif', 'GIF89a'), called('image/webp', 'RIFF....WEBPVP8 ')],
    }),
    202,
  ],
  ['a body over the frame limit', () => ({ text: 'x', context: [{ filler: 'a'.repeat(LIMITS.frameBytes) }] }), 413],
];
for (const [name, body, status] of messages) {
  test(`${name} gets ${status}`, async () => {
    const response = await server.post('/api/sessions/s1/input', body());
    expect(response.status).toBe(status);
    if (status > 299) expect((await response.json()).error.message).toMatch(/\w/);
  });
}
