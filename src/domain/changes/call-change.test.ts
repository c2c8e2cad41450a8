import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/agents/claude-recordings.ts';
import { replay } from '../../../test/support/agents/replay.ts';
import { claudeCode } from '../../agents/claude-code/index.ts';
import { Event, type EventOf } from '../../protocol/event.ts';
import { changeOfCall } from './call-change.ts';
import { ChangedFiles } from './fold.ts';
import { readPatch } from './patch.ts';
import { partsOf } from './review.ts';

const event = (body: object, seq = 1) => Event.parse({ seq, at: '2026-01-01T00:00:00.000Z', ...body });
const started = (intends?: object) => event({ type: 'tool.started', toolUseId: 't', name: 'Write', input: {}, intends }) as EventOf<'tool.started'>;
const completed = (more: object = {}) => event({ type: 'tool.completed', toolUseId: 't', output: '', isError: false, ...more }) as EventOf<'tool.completed'>;
const written = { kind: 'edit', path: '/a', patch: '@@ -0,0 +0,1 @@\n+x\n' };

test('a result that reports its patch counts, whatever the arguments said', () => {
  const change = { kind: 'edit', path: '/a', patch: '@@ -1,1 +1,1 @@\n-a\n+b\n' };
  expect(changeOfCall(started(written), completed({ change }))?.change).toEqual(change);
});

test('without a patch in the result, the arguments say what changed; a file known to be new starts at its first line', () => {
  expect(changeOfCall(started(written), completed())?.change).toEqual(written);
  const created = changeOfCall(started(written), completed({ change: { kind: 'create', path: '/a', patch: '' } }))?.change;
  expect(created).toEqual({ kind: 'create', path: '/a', patch: '@@ -0,0 +1,1 @@\n+x\n' });
});

test('a running or failed call changed nothing', () => {
  expect(changeOfCall(started(written), undefined)).toBeUndefined();
  expect(changeOfCall(started(written), completed({ isError: true }))).toBeUndefined();
});

test('a patch at an unknown place is never composed with another', () => expect(readPatch('@@ -0,1 +0,2 @@\n-a\n+b\n+c\n')).toBeUndefined());

for (const [version, edits] of [
  ['2.1.197', ['create +1 -0', 'edit +1 -1']],
  ['2.1.325', ['create +1 -0', 'edit +1 -1', 'edit +1 -0']],
] as const) {
  test(`[R390] files that Claude Code ${version}'s subagents write and edit are in the changes, and what failed is not`, () => {
    const recording = readRecordings().find(({ name }) => name === `${version}-subagent-edits`);
    const observed = replay(claudeCode, recording ?? { name: '', lines: [] }).filter(({ type }) => type === 'tool.started' || type === 'tool.completed');
    const changed = new ChangedFiles('/home/dev/proj', () => undefined);
    for (const [at, { agentAt: _, rawImages: __, ...body }] of observed.map((one) => one as { agentAt?: string; rawImages?: unknown }).entries()) {
      changed.add(event(body, at + 1));
    }
    const parts = partsOf(changed.files().get('/home/dev/proj/new.txt') ?? []);
    expect(parts.map(({ kind, additions, deletions }) => `${kind} +${additions} -${deletions}`)).toEqual(edits);
  });
}
