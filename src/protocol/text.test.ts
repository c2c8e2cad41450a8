import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AnswerBody, InputBody, MetaBody } from './command.ts';

test.each([
  ['a message', InputBody, { text: 'a\0b' }],
  ['a blank message', InputBody, { text: ' \n\t ' }],
  ['the context of a message', InputBody, { text: 'a', context: [{ text: '\0' }] }],
  ['a title', MetaBody, { title: 'a\0' }],
  ['a blank title', MetaBody, { title: '  ' }],
  ['a tag', MetaBody, { tags: ['\0'] }],
  ['a note', MetaBody, { note: '\0' }],
  ['a reason', AnswerBody, { behavior: 'deny', message: '\0' }],
  ['an answer', AnswerBody, { behavior: 'allow', answers: { which: ['a', '\0'] } }],
])('[R822] %s with a zero byte, or nothing but white space, is refused in words', (_name, schema, body) => {
  const { error } = z.safeParse(schema as z.ZodMiniType, body);
  expect(error?.issues[0]?.message).toMatch(/contains a zero byte|is empty/);
});
