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

test('of a single choice the last one counts, and own words replace it', () => {
  const chosen = choose(one, choose(one, NO_REPLY, 'A'), 'B');
  expect(answersOf([one], new Map([['one?', chosen]]))).toEqual({ 'one?': 'B' });
  expect(answersOf([one], new Map([['one?', write(one, chosen, ' neither ')]]))).toEqual({ 'one?': 'neither' });
});

test('of several choices each can be taken back, and own words are one more', () => {
  const replies: Reply = ['C', 'A', 'B', 'B'].reduce((reply, label) => choose(many, reply, label), NO_REPLY);
  expect(answersOf([many], new Map([['many?', write(many, replies, 'D')]]))).toEqual({ 'many?': ['A', 'C', 'D'] });
});

test('blanks are no answer', () => {
  expect(isReplied(write(one, NO_REPLY, '  '))).toBe(false);
});

test('arguments that are no questions give none', () => {
  expect(questionsOf({ questions: 'what?' })).toEqual([]);
});

const answerable = [
  ['two different questions', [one, many], undefined],
  ['no question at all', [], 'cannot be read as a question'],
  ['two questions with the same words', [one, one], 'the same words'],
] as const;
for (const [name, questions, why] of answerable) {
  test(`whether ${name} can be answered is told in words`, () =>
    expect(whyUnanswerable(questions)).toEqual(why === undefined ? undefined : expect.stringContaining(why)));
}
