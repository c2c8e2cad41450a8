import { expect, test } from 'vitest';
import { webAddress } from './web-address.ts';

const cases = [
  ['https://a.example/x?y#z', 'https://', 'a.example', '/x?y#z', ''],
  ['https://a.example', 'https://', 'a.example', '/', ''],
  ['https://bank.example:s3cret@evil.example/', 'https://bank.example:s3cret@', 'evil.example', '/', 'password'],
  ['https://bank.example@evil.example/', 'https://bank.example@', 'evil.example', '/', 'is a user name, not the destination'],
  ['https:\\\\evil.example\\x', 'https://', 'evil.example', '/x', 'Original: https:\\\\evil.example\\x'],
  ['http://a.example/', 'http://', 'a.example', '/', 'Not encrypted'],
  ['not an address', 'not an address', '', '', 'not a valid web address'],
] as const;
for (const [url, before, host, after, note] of cases) {
  test(`${url} is shown in all its parts, with a warning if needed`, () => {
    expect(webAddress(url)).toEqual({ before, host, after, note: note === '' ? '' : expect.stringContaining(note) });
  });
}
