import { expect, test } from 'vitest';
import type { Inherited } from '../../domain/session/inherit.ts';
import type { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { chooseSummary, compactionIn } from './handover.ts';

const at = '2026-11-15T01:00:00.000Z';
const PAST: readonly Inherited[] = [{ type: 'user.message', text: 'build it', origin: 'person', at }];
const BOTH = { compaction: 'what the agent wrote', isForkable: true };

const choices = [
  ['uses the agent’s own compaction if there is one', undefined, BOTH, 'compaction'],
  ['asks the agent if it can', undefined, { ...BOTH, compaction: undefined }, 'agent'],
  ['is an extract if nothing else is possible', undefined, { compaction: undefined, isForkable: false }, 'extract'],
  ['is an extract if a person chose it', 'extract', BOTH, 'extract'],
  ['asks the agent if a person chose it', 'agent', BOTH, 'agent'],
] as const;
for (const [title, asked, possible, how] of choices) {
  test(`the summary of a handover ${title}`, () => expect(chooseSummary(asked, possible, PAST)).toMatchObject({ how }));
}

test('a summary that the agent is asked for has an extract as a fallback', () => {
  expect(chooseSummary('agent', BOTH, PAST)).toMatchObject({ how: 'agent', text: expect.stringContaining('build it') });
});

test('a kind of summary that is not possible is refused', () => {
  const none = { compaction: undefined, isForkable: false };
  expect(chooseSummary('compaction', none, PAST)).toMatchObject({ refused: 'conflict' });
  expect(chooseSummary('agent', none, PAST)).toMatchObject({ refused: 'cannot-resume' });
});

const compacted = (failed?: string) => ({ type: 'context.compacted', trigger: 'auto', ...(failed !== undefined && { failed }) });
const summary = (text: string, more: object = {}) => ({ type: 'user.message', origin: 'agent', text, ...more });
const events = (...bodies: readonly object[]) => bodies.map((body, index) => ({ ...body, seq: index + 1, at }) as Event);
const blobs = { putBlob: () => ({ sha256: '', bytes: 0 }), blob: (sha256: string) => (sha256 === 'whole' ? Buffer.from('all of it') : undefined) };

test('the summary of a compaction is the one after the last compaction that did not fail', () => {
  expect(compactionIn(events(compacted(), summary('old'), compacted(), summary('new'), compacted('too short')), blobs)).toBe('new');
  expect(compactionIn(events(summary('a notification')), blobs)).toBeUndefined();
  expect(compactionIn(events(compacted(), { type: 'user.message', origin: 'person', text: 'hello' }), blobs)).toBeUndefined();
});

test('a long summary is read from its blob and cut at the size limit of an event', () => {
  expect(compactionIn(events(compacted(), summary('head', { blobs: { text: { sha256: 'whole', bytes: 9 } } })), blobs)).toBe('all of it');
  const chosen = chooseSummary(undefined, { compaction: 'x'.repeat(LIMITS.inlineBytes * 2), isForkable: true }, PAST);
  expect('text' in chosen && Buffer.byteLength(chosen.text)).toBe(LIMITS.inlineBytes);
});
