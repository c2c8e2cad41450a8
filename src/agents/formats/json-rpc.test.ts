import { expect, test } from 'vitest';
import { errorLine, METHOD_NOT_FOUND, notificationLine, parseId, readRpc, requestLine, resultLine, serializeId } from './json-rpc.ts';

const messages: readonly (readonly [string, string, ReturnType<typeof readRpc>])[] = [
  ['a request', requestLine('turn:7', 'turn/start', { text: 'hi' }), { kind: 'request', id: 'turn:7', method: 'turn/start', params: { text: 'hi' } }],
  ['a notification', notificationLine('initialized'), { kind: 'notification', method: 'initialized', params: {} }],
  ['an answer', resultLine(0, { decision: 'accept' }), { kind: 'result', id: 0, result: { decision: 'accept' } }],
  ['an empty answer', '{"id":3,"result":null}', { kind: 'result', id: 3, result: null }],
  [
    'an error',
    errorLine('x', { code: METHOD_NOT_FOUND, message: 'no such method' }),
    { kind: 'error', id: 'x', error: { code: -32601, message: 'no such method' } },
  ],
  [
    'an error for a request that could not be parsed',
    '{"id":null,"error":{"code":-32700,"message":"?"}}',
    { kind: 'error', id: null, error: { code: -32700, message: '?' } },
  ],
];

for (const [name, line, message] of messages) test(`${name} is read`, () => expect(readRpc(line)).toEqual(message));

for (const line of [
  '',
  '[]',
  '7',
  '{}',
  '{"id":1}',
  '{"id":{},"method":"m"}',
  '{"id":1,"method":"m","params":[]}',
  '{"id":1,"error":"no"}',
  '{"id":null,"result":1}',
]) {
  test(`${JSON.stringify(line)} is not a message`, () => expect(readRpc(line)).toBeUndefined());
}

test('a message is one line, without half a surrogate pair', () => {
  const line = requestLine('1', 'm', { text: 'a\nb \ud800 \u2028' });
  expect(line).not.toMatch(/[\n\r]/);
  expect(readRpc(line)).toMatchObject({ params: { text: 'a\nb \uFFFD \u2028' } });
});

for (const id of [7, '7', 'turn:1', '{"for":"hello"}'] as const) {
  test(`the id ${JSON.stringify(id)} is the same after it was stored`, () => expect(parseId(serializeId(id))).toBe(id));
}

test('an id that we did not store is used as it is', () => expect(parseId('r')).toBe('r'));
