import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { sendUnexpectedError } from './errors.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const systemError = (code: string) => Object.assign(new Error(`${code}: open '/secret'`), { code });

test.each([
  [systemError('EMFILE'), 503, 'no-descriptors'],
  [new Error('the journal could not be synced', { cause: systemError('ENFILE') }), 503, 'no-descriptors'],
  [systemError('ENOSPC'), 507, 'disk-low'],
  [systemError('ENOENT'), 500, 'internal'],
  [new Error('a bug', { cause: 'EMFILE' }), 500, 'internal'],
])('[R829] %s: the status says whether sending again helps, and the answer names no file', async (error, status, code) => {
  const app = Fastify({ logger: false });
  app.setErrorHandler((thrown, _request, reply) => sendUnexpectedError(thrown, reply, quiet as never));
  app.get('/', () => Promise.reject(error));
  const answer = await app.inject('/');
  expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  expect(answer.body).not.toContain('/secret');
  expect(answer.body.includes('send it again')).toBe(status !== 500);
});
