import { expect, test } from 'vitest';
import { errorLine, idKept, keptId, METHOD_NOT_FOUND, notificationLine, readRpc, requestLine, resultLine } from './json-rpc.ts';

const messages: readonly (readonly [string, string, ReturnType<typeof readRpc>])[] = [
  ['a request', requestLine('turn:7', 'turn/start', { text: 'hi' }), { kind: 'request', id: 'turn:7', method: 'turn/start', params: { text: 'hi' } }],
  ['a notification', notificationLine('initialized'), { kind: 'notification', method: 'initialized', params: {} }],
  ['an answer', resultLine(0, { decision: 'accept' }), { kind: 'result', id: 0, result: { decision: 'accept' } }],
  ['an answer that is nothing', '{"id":3,"result":null}', { kind: 'result', id: 3, result: null }],
  [
    'a refusal',
    errorLine('x', { code: METHOD_NOT_FOUND, message: 'no such method' }),
    { kind: 'error', id: 'x', error: { code: -32601, message: 'no such method' } },
  ],
  [
    'a refusal of what could not be read',
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
  test(`${JSON.stringify(line)} is no message`, () => expect(readRpc(line)).toBeUndefined());
}

test('a message is one line, and has no half of a surrogate pair', () => {
  const line = requestLine('1', 'm', { text: 'a\nb \ud800 \u2028' });
  expect(line).not.toMatch(/[\n\r]/);
  expect(readRpc(line)).toMatchObject({ params: { text: 'a\nb \uFFFD \u2028' } });
});

for (const id of [7, '7', 'turn:1', '{"for":"hello"}'] as const) {
  test(`the id ${JSON.stringify(id)} is the same after it was kept`, () => expect(idKept(keptId(id))).toBe(id));
}

test('what was not kept by us is an id as it stands', () => expect(idKept('r')).toBe('r'));
