import { expect, test } from 'vitest';
import { patchBetween } from '../../../test/support/domain/patch-samples.ts';
import { Event } from '../../protocol/event.ts';
import { ChangedFiles } from './fold.ts';
import { partsOf } from './review.ts';

const CWD = '/home/me/app';
const done = (id: string, change: object, more: object = {}) => [
  { type: 'tool.started', toolUseId: id, name: 'Edit', input: {} },
  { type: 'tool.completed', toolUseId: id, output: '', isError: false, change, ...more },
];
const edit = (path: string, before: string[], after: string[]) => ({ kind: 'edit', path, patch: patchBetween(before, after) });

function changesOf(bodies: readonly object[], whole: () => string | undefined = () => undefined) {
  const changed = new ChangedFiles(CWD, whole);
  for (const [at, body] of bodies.entries()) changed.add(Event.parse({ ...body, seq: at + 1, at: '2026-01-01T00:00:00.000Z' }));
  return changed;
}
const partsIn = (changed: ChangedFiles) => [...changed.files()].map(([path, edits]) => [path, partsOf(edits)] as const);

test('edits of one file are one change, with the calls and the turn they created from', () => {
  const changed = changesOf([
    { type: 'turn.started', turnId: 't1', cause: 'input' },
    ...done('1', { kind: 'create', path: 'a.ts', patch: '@@ -0,0 +1,2 @@\n+a\n+b\n' }),
    ...done('2', edit(`${CWD}/./a.ts`, ['a', 'b'], ['a', 'c'])),
  ]);
  expect(partsIn(changed)).toMatchObject([
    [
      `${CWD}/a.ts`,
      [{ kind: 'create', patch: '@@ -0,0 +1,2 @@\n+a\n+c\n', additions: 2, deletions: 0, edits: [{ seq: 3, tool: 'Edit', turnSeq: 1 }, { seq: 5 }] }],
    ],
  ]);
});

test('if something else changed the file between two edits, they are shown as two changes, one after the other', () => {
  const changed = changesOf([...done('1', edit('a', ['x'], ['y'])), ...done('2', edit('a', ['by hand'], ['z']))]);
  expect(partsIn(changed)[0]?.[1].map(({ additions, deletions, edits }) => [additions, deletions, edits.length])).toEqual([
    [1, 1, 1],
    [1, 1, 1],
  ]);
});

test('a file that is deleted and created again counts as edited; an edit after a deletion is a separate change', () => {
  const deleted = { kind: 'delete', path: 'a', patch: '@@ -1,1 +0,0 @@\n-x\n' };
  const created = { kind: 'create', path: 'a', patch: '@@ -0,0 +1,1 @@\n+y\n' };
  expect(partsIn(changesOf([...done('1', deleted), ...done('2', created)]))[0]?.[1]).toMatchObject([{ kind: 'edit', patch: '@@ -1,1 +1,1 @@\n-x\n+y\n' }]);
  expect(partsIn(changesOf([...done('1', deleted), ...done('2', edit('a', ['x'], ['y']))]))[0]?.[1]).toHaveLength(2);
});

test('a call that failed, or was made before the session started, changed nothing', () => {
  const changed = changesOf([...done('1', edit('a', ['x'], ['y']), { isError: true }), ...done('2', edit('b', ['x'], ['y']), { inherited: true })]);
  expect(changed.files().size).toBe(0);
});

test('restored files lose the edits made after the message, and a dry run restores nothing', () => {
  const rewind = (dryRun: boolean) => [
    { type: 'rewind.requested', commandId: 'c', messageSeq: 3, messageId: 'm', dryRun },
    { type: 'files.rewound', commandId: 'c', dryRun, canRewind: true, files: [`${CWD}/a`, `${CWD}/b`] },
  ];
  const edits = [...done('1', edit('a', ['x'], ['y'])), { type: 'notice.shown', level: 'info', text: '' }, ...done('2', edit('a', ['y'], ['z']))];
  const later = done('3', edit('b', ['x'], ['y']));
  expect(partsIn(changesOf([...edits, ...later, ...rewind(false)]))).toMatchObject([[`${CWD}/a`, [{ edits: [{ seq: 2 }] }]]]);
  expect(changesOf([...edits, ...later, ...rewind(true)]).files().size).toBe(2);
});

test('a patch too long for its event is read in full, and one too long for that is marked as cut', () => {
  const long = done('1', { kind: 'edit', path: 'a', patch: '@@ -1,1 +1,1 @@' }, { blobs: { 'change.patch': { sha256: '0'.repeat(64), bytes: 9 } } });
  expect(partsIn(changesOf(long, () => '@@ -1,1 +1,1 @@\n-x\n+y\n'))[0]?.[1]).toMatchObject([{ additions: 1 }]);
  expect(partsIn(changesOf(long))[0]?.[1][0]?.edits).toMatchObject([{ isCut: true }]);
});
