import { expect, test } from 'vitest';
import { webAddress } from './web-address.ts';

const cases = [
  ['https://a.example/x?y#z', 'https://', 'a.example', '/x?y#z', ''],
  ['https://a.example', 'https://', 'a.example', '/', ''],
  ['https://bank.example:s3cret@evil.example/', 'https://bank.example:s3cret@', 'evil.example', '/', 'password'],
  ['https://bank.example@evil.example/', 'https://bank.example@', 'evil.example', '/', 'is a name, not the place'],
  ['https:\\\\evil.example\\x', 'https://', 'evil.example', '/x', 'it was written https:\\\\evil.example\\x'],
  ['http://a.example/', 'http://', 'a.example', '/', 'Not encrypted'],
  ['not an address', 'not an address', '', '', 'no address'],
] as const;
for (const [url, before, host, after, note] of cases) {
  test(`of ${url} every part is shown, and what it means`, () => {
    expect(webAddress(url)).toEqual({ before, host, after, note: note === '' ? '' : expect.stringContaining(note) });
  });
}
