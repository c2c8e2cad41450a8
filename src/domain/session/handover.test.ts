import { expect, test } from 'vitest';
import type { AgentId } from '../../protocol/ids.ts';
import { withHandover } from '../queue/context.ts';
import { ended, Story } from '../story.ts';

const handed = (how: 'compaction' | 'agent' | 'extract', prompt?: string): Story =>
  new Story().asks({
    type: 'session.create',
    commandId: 'c1',
    agent: 'demo' as AgentId,
    cwd: '/work',
    options: {},
    origin: { kind: 'handover', agentSessionId: 'old-mind', summary: { how, text: 'extract' } },
    ...(prompt !== undefined && { prompt }),
  });
const answering = (story: Story): Story => story.says({ type: 'agent.ready' }).says({ type: 'turn.began', cause: 'input' });

test('a summary that is known is told to a fresh conversation with its first message', () => {
  const story = handed('compaction', 'go on');
  expect(story.of('run.opened')[0]).toMatchObject({ mode: 'new' });
  expect(story.state.handover).toEqual({ how: 'compaction', text: 'extract' });
  expect(withHandover('go on', story.state.handover)).toContain('the summary that the agent itself made');
  answering(story).says({ type: 'input.taken', inputId: 'in-c1' });
  expect(story.state.handover).toBeNull();
});

test('the agent is asked in a copy of the old conversation, before the person’s message', () => {
  const story = handed('agent', 'go on');
  expect(story.of('run.opened')[0]).toMatchObject({ mode: 'fork', from: 'old-mind' });
  expect(story.of('input.delivered')[0]?.commandId).toBe('handover:s1');
  answering(story).says(ended({ result: 'all there is to know' }));
  expect(story.state.handover).toEqual({ how: 'agent', text: 'all there is to know' });
  expect(story.of('run.ending')[0]?.reason).toBe('handover');
  story.exits({ code: 0 });
  const fresh = story.of('run.opened')[1];
  expect(fresh).toMatchObject({ mode: 'new' });
  expect(fresh?.agentSessionId).not.toBe(story.of('run.opened')[0]?.agentSessionId);
  expect(story.of('input.delivered')[1]?.commandId).toBe('c1');
});

const failures: readonly (readonly [string, (story: Story) => Story])[] = [
  [
    'it answers with an error',
    (story) =>
      answering(story)
        .says(ended({ isError: true }))
        .exits({ code: 0 }),
  ],
  [
    'it is interrupted',
    (story) =>
      answering(story)
        .says(ended({ aborted: true }))
        .exits({ code: 0 }),
  ],
  ['it dies in the middle', (story) => answering(story).exits()],
  ['it dies before it took the question', (story) => story.exits({ memory: 'absent' })],
];
for (const [name, happen] of failures) {
  test(`[R177] when ${name}, the extract is told instead, labelled as what it is`, () => {
    const story = happen(handed('agent', 'go on'));
    expect(story.state.handover).toEqual({ how: 'extract', text: 'extract' });
    expect(story.state.queue.map((input) => input.commandId)).toEqual(['c1']);
    expect(story.of('run.opened').at(-1)).toMatchObject({ mode: 'new' });
  });
}

test('a server that died before the question was sent asks it again', () => {
  const story = handed('agent').exits({ neverBegan: true, memory: 'absent' });
  expect(story.state.handover).toBeNull();
  expect(story.of('run.opened').at(-1)).toMatchObject({ mode: 'fork', from: 'old-mind' });
});
