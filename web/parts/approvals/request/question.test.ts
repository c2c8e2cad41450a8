import { expect, test } from 'vitest';
import { answersOf, choose, isReplied, NO_REPLY, questionsOf, type Reply, whyUnanswerable, write } from './question.ts';

const options = [{ label: 'A' }, { label: 'B' }, { label: 'C' }];
const [one, many] = questionsOf({
  questions: [
    { question: 'one?', options },
    { question: 'many?', multiSelect: true, options },
  ],
});
if (one === undefined || many === undefined) throw new Error('there are two questions');

test('in a single choice the last option counts, and free text replaces it', () => {
  const chosen = choose(one, choose(one, NO_REPLY, 'A'), 'B');
  expect(answersOf([one], new Map([['one?', chosen]]))).toEqual({ 'one?': 'B' });
  expect(answersOf([one], new Map([['one?', write(one, chosen, ' neither ')]]))).toEqual({ 'one?': 'neither' });
});

test('in a multiple choice each option can be cleared, and free text is one more', () => {
  const replies: Reply = ['C', 'A', 'B', 'B'].reduce((reply, label) => choose(many, reply, label), NO_REPLY);
  expect(answersOf([many], new Map([['many?', write(many, replies, 'D')]]))).toEqual({ 'many?': ['A', 'C', 'D'] });
});

test('whitespace is not an answer', () => {
  expect(isReplied(write(one, NO_REPLY, '  '))).toBe(false);
});

test('arguments that are not questions give none', () => {
  expect(questionsOf({ questions: 'what?' })).toEqual([]);
});

const answerable = [
  ['two different questions', [one, many], undefined],
  ['no question at all', [], 'can’t be read as a question'],
  ['two questions with the same text', [one, one], 'the same text'],
] as const;
for (const [name, questions, why] of answerable) {
  test(`the form says whether ${name} can be answered`, () =>
    expect(whyUnanswerable(questions)).toEqual(why === undefined ? undefined : expect.stringContaining(why)));
}
