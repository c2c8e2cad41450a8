import { expect, test } from 'vitest';
import { scrubberFor, scrubLine } from './scrub.ts';

const clean = scrubberFor(['hunter22-prod', 'abc', '123456789']);

test('[R485] what looks like a secret, and the values that a session was given, are replaced by marks of the same shape', () => {
  expect(clean.text('key sk-ant-api03-AbC123def456_xyz!')).toBe('key sk-ant-xxx00-XxX000xxx000_xxx!');
  expect(clean.text('ghp_abcdefABCDEF0123456789 AKIAABCDEFGHIJKLMNOP')).toBe('ghp_xxxxxxXXXXXX0000000000 AKIAXXXXXXXXXXXXXXXX');
  expect(clean.text('GITHUB_TOKEN=abc123def and "api_key": "s3cr3tvalue"')).toBe('GITHUB_TOKEN=xxx000xxx and "api_key": "x0xx0xxxxxx"');
  expect(clean.text('https://ada:pa55word@host/x')).toBe('https://ada:xx00xxxx@host/x');
  expect(clean.text('Authorization: Bearer abcDEF123456789')).toBe('Authorization: Bearer xxxXXX000000000');
  expect(clean.text('-----BEGIN RSA PRIVATE KEY-----\nMIIabc+9\n-----END RSA PRIVATE KEY-----')).toBe(
    '-----BEGIN RSA PRIVATE KEY-----\nXXXxxx+0\n-----END RSA PRIVATE KEY-----',
  );
  expect(clean.text('it said hunter22-prod, twice: hunter22-prod')).toBe('it said xxxxxx00-xxxx, twice: xxxxxx00-xxxx');
  expect(clean.value({ env: { DB_PASSWORD: 'a b c' }, list: ['hunter22-prod', 4] })).toEqual({ env: { DB_PASSWORD: 'x x x' }, list: ['xxxxxx00-xxxx', 4] });
});

test('ordinary text, counts of tokens and short values stay, and so does the form of a line', () => {
  for (const text of ['abc', '123456789', 'max_tokens: 123456', '{"outputTokens":1234567}', 'a password is needed', 'sk-short', 'see token.ts:12345']) {
    expect([text, clean.text(text)]).toEqual([text, text]);
  }
  const line = '{ "a" : "\\u00e9", "n":1.0 }';
  expect(scrubLine(clean, line)).toBe(line);
  expect(scrubLine(clean, '{ "a" : "hunter22-prod" }')).toBe('{"a":"xxxxxx00-xxxx"}');
  expect(scrubLine(clean, 'not json hunter22-prod')).toBe('not json xxxxxx00-xxxx');
});
