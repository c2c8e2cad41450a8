import { expect, test } from 'vitest';
import { ended, Story } from '../story.ts';
import { Draft } from './draft.ts';
import { conversationOf, foundDriver, lostDriver } from './driver.ts';
import type { SessionState } from './state.ts';

/** What the engine saw in the agent's registry. */
function sees(state: SessionState, story: Story, write: (draft: Draft) => void): Draft {
  const draft = new Draft(state, story.circumstances());
  write(draft);
  draft.settle();
  return draft;
}

const HOLDER = { pid: 7, what: 'an editor' };
const types = (draft: Draft) => draft.events.map((event) => event.type).filter((type) => type !== 'session.status');

test('while another program holds the conversation no process is started and no message is given', () => {
  const story = Story.ready();
  const held = sees(story.state, story, (draft) => foundDriver(draft, HOLDER));
  expect(types(held)).toEqual(['driver.found', 'run.ending']);
  story.state = held.state;
  story.exits({ code: 0 }).send('m1');
  expect(story.types).not.toContain('input.delivered');
  expect(story.state).toMatchObject({ run: { phase: 'none' }, driver: HOLDER, queue: [{ stage: { at: 'accepted' } }] });
  expect(story.asks({ type: 'session.wake' }).refusal?.refused).toBe('driven-elsewhere');
});

test('a process that works is not ended, but the next message waits', () => {
  const story = Story.working().send('m2');
  const held = sees(story.state, story, (draft) => foundDriver(draft, HOLDER));
  expect(types(held)).toEqual(['driver.found']);
  story.state = held.state;
  story.says(ended());
  expect(story.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
  const free = sees(story.state, story, (draft) => lostDriver(draft, 'it has ended'));
  expect(types(free)).toEqual(['driver.gone', 'input.delivered']);
});

test('the same program seen again is told once', () => {
  const story = Story.ready();
  const held = sees(story.state, story, (draft) => foundDriver(draft, HOLDER));
  const again = sees(held.state, story, (draft) => foundDriver(draft, HOLDER));
  expect(types(again)).toEqual([]);
});

test('a takeover is remembered until the other program is gone, and then the session has its process at once', () => {
  const story = Story.ready();
  expect(story.asks({ type: 'session.takeover' }).refusal?.refused).toBe('conflict');
  story.state = sees(story.state, story, (draft) => foundDriver(draft, HOLDER)).state;
  story.exits({ code: 0 }).asks({ type: 'session.takeover' });
  expect(story.effects).toEqual([{ type: 'take-over', pid: 7 }]);
  expect(story.state.driver).toMatchObject({ pid: 7, isLeaving: true });
  const free = sees(story.state, story, (draft) => lostDriver(draft, 'it was taken over'));
  expect(types(free)).toEqual(['driver.gone', 'run.opened']);
  expect(free.state.driver).toBeNull();
});

test('a copy holds no conversation before its first message; a session that goes on holds the one it goes on with', () => {
  const asleep = (kind: 'fork' | 'resume') => {
    const story = new Story();
    story.asks({ type: 'session.create', agent: 'demo' as never, cwd: '/work', options: {}, origin: { kind, agentSessionId: 'A' } });
    return story.exits({ code: 0 }).state;
  };
  expect(conversationOf(asleep('fork'))).toBeNull();
  expect(conversationOf(asleep('resume'))).toBe('A');
});
