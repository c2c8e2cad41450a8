import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ClientFrame } from '../../protocol/frame.ts';
import { CreateSessionBody, SendInputBody } from '../../protocol/http.ts';
import { unknownFieldIn } from './unknown-fields.ts';

describe('[R356] the first field that a schema does not know', () => {
  const rows = [
    [SendInputBody, { text: 'x' }, undefined],
    [SendInputBody, { text: 'x', txt: 'y' }, { name: 'txt', meant: 'text' }],
    [SendInputBody, { text: 'x', images: [{ mediaType: 'image/png', base64: '', alt: 'x' }] }, { name: 'images.0.alt' }],
    [CreateSessionBody, { agent: 'demo', cwd: '/', env: { ANY: 'name' } }, undefined],
    [CreateSessionBody, { agent: 'demo', cwd: '/', permission_mode: 'plan' }, { name: 'permission_mode', meant: 'permissionMode' }],
    [CreateSessionBody, { agent: 'demo', cwd: '/', addDir: [] }, { name: 'addDir', meant: 'addDirs' }],
    [ClientFrame, { type: 'subscribe', sessionId: 'x', afer: 1 }, { name: 'afer', meant: 'after' }],
    [ClientFrame, { type: 'hello', v: 1 }, undefined],
    [z.looseObject({ a: z.string() }), { a: 'x', b: 1 }, undefined],
    [z.object({}), undefined, undefined],
    [z.object({}), JSON.parse('{"constructor":1}'), { name: 'constructor' }],
  ] as const;
  for (const [schema, value, expected] of rows) test(JSON.stringify(value) ?? 'nothing', () => expect(unknownFieldIn(schema, value)).toEqual(expected));
});
