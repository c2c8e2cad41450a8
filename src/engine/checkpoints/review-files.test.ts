import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWithCheckpoints, repository, S1, shell, TURN, turn } from '../../../test/support/checkpoints/turns.ts';
import type { EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { AnnotationId, ReviewId, ReviewItem } from '../../protocol/annotation.ts';

const FILE = ['one', 'two', '}', 'three', '}', 'four', ''].join('\n');

/** Sends a review of these lines of a.txt; meanwhile a shell command does something. Returns how each was answered and what was skipped. */
async function review(setup: EngineSetup & { readonly work: string }, id: string, lines: readonly number[], script: string) {
  const { work, engine } = setup;
  const text = shell(work, 'cat a.txt').split('\n');
  const items = lines.map((line, index): ReviewItem => {
    const place = { file: join(work, 'a.txt'), from: line, to: line, quote: text[line - 1] ?? '' };
    return { sessionId: S1, annotationId: `${id}-${line}` as AnnotationId, label: `A${index + 1}`, kind: 'action', place };
  });
  for (const { annotationId } of items) {
    const target = { type: 'code', file: join(work, 'a.txt'), lineStart: 1 } as const;
    await setup.do({ type: 'annotation.make', sessionId: S1, annotationId, target, kind: 'action', text: 'x' });
  }
  const before = setup.events(S1).length;
  const count = (type: string) => setup.events(S1).filter((event) => event.seq > before && event.type === type).length;
  await setup.do({ type: 'review.send', sessionId: S1, reviewId: id as ReviewId, text: TURN, items });
  const request = await waitFor('a request', () => engine.permissions(S1)[0]);
  await waitFor('the checkpoint before', () => count('checkpoint.made') > 0);
  shell(work, script);
  await setup.do({ type: 'permission.answer', sessionId: S1, requestId: request.requestId, behavior: 'allow' });
  const ended = await setup.event(S1, 'review.ended', ({ reviewId }) => reviewId === id);
  const completed = setup.events(S1).findLast(({ type }) => type === 'turn.completed');
  const answers = setup.events(S1).flatMap((event) => (event.type === 'annotation.answered' && event.reviewId === id ? [event] : []));
  expect(answers.every(({ how, evidenceSeq }) => how === 'edit' && evidenceSeq === completed?.seq)).toBe(true);
  return { answered: ended.answered, skipped: ended.skipped };
}

test('[R480] lines that only a shell command edited are answered by that turn; an edit elsewhere, a moved file or an equal line elsewhere answers nothing', async () => {
  const setup = await createWithCheckpoints();
  repository(setup.work);
  writeFileSync(join(setup.work, 'a.txt'), FILE);
  await turn(setup, S1, setup.work, () => undefined);
  // Lines move down by one, the second is edited; the equal line after it stays.
  expect(await review(setup, 'r1', [2, 3, 4], 'sed -i "s/two/2/; 1i zero" a.txt')).toEqual({ answered: ['A1'], skipped: ['A2', 'A3'] });
  // Now: zero one 2 } three } four. Only the second brace is edited.
  expect(await review(setup, 'r2', [4, 6], 'sed -i "6s/}/};/" a.txt')).toEqual({ answered: ['A2'], skipped: ['A1'] });
  expect(await review(setup, 'r3', [1], 'mv a.txt moved.txt; echo b >> b.txt; cp moved.txt a.txt; rm a.txt')).toEqual({ answered: [], skipped: ['A1'] });
});
