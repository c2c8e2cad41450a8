import { createECDH, createPublicKey, verify } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opened } from '../../../test/support/push-endpoint.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { SEALED_TEXT_BYTES, seal } from './seal.ts';
import { openVapid } from './vapid.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

test('[R240] a message is encrypted byte for byte as in the example of the standard', () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const fresh = { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw') };
  expect(seal('When I grow up, I want to be a watermelon', { keys }, fresh).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('each message has its own key and salt, and only the browser that subscribed can read it', () => {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = Buffer.alloc(16, 7);
  const keys = { p256dh: browser.getPublicKey().toString('base64url'), auth: auth.toString('base64url') };
  const longest = 'x'.repeat(SEALED_TEXT_BYTES);
  const [one, two] = [seal(longest, { keys }), seal(longest, { keys })];
  expect(one.equals(two)).toBe(false);
  expect(one.length).toBeLessThanOrEqual(4096);
  expect(opened(one, browser, auth)).toBe(longest);
  const other = createECDH('prime256v1');
  other.generateKeys();
  expect(() => opened(one, other, auth)).toThrow();
});

test('the server’s key is created once, is private to its owner, and signs for one push service', () => {
  const folder = temporaryFolder('vapid');
  const { publicKey, authorization } = openVapid(folder);
  expect(openVapid(folder).publicKey).toBe(publicKey);
  expect(statSync(join(folder, 'push-key.json')).mode & 0o777).toBe(0o600);
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization('https://push.example/a/b?c', 1_000_000)) ?? [];
  expect(key).toBe(publicKey);
  const [head, claims, signature = ''] = token.split('.');
  expect(JSON.parse(bytes(claims ?? '').toString())).toMatchObject({ aud: 'https://push.example', exp: 1000 + 43_200 });
  const raw = bytes(publicKey);
  const jwk = { kty: 'EC', crv: 'P-256', x: raw.subarray(1, 33).toString('base64url'), y: raw.subarray(33).toString('base64url') };
  const verifier = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), verifier, bytes(signature))).toBe(true);
});

test('an invalid key file is reported with what to do', () => {
  const folder = temporaryFolder('vapid');
  writeFileSync(join(folder, 'push-key.json'), '{}');
  expect(() => openVapid(folder)).toThrow(/is not a key. Delete it/);
});
