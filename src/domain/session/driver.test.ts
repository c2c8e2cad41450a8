import { expect, test } from 'vitest';
import { ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import { Draft } from './draft.ts';
import { conversationOf, foundDriver, lostDriver } from './driver.ts';
import type { SessionState } from './state.ts';

/** What the engine saw in the agent's registry. */
function sees(state: SessionState, scenario: SessionScenario, write: (draft: Draft) => void): Draft {
  const draft = new Draft(state, scenario.context());
  write(draft);
  draft.settle();
  return draft;
}

const HOLDER = { pid: 7, what: 'an editor' };
const types = (draft: Draft) => draft.events.map((event) => event.type).filter((type) => type !== 'session.status');

test('while another program has the conversation open, no process is started and no message is delivered', () => {
  const scenario = SessionScenario.ready();
  const openElsewhere = sees(scenario.state, scenario, (draft) => foundDriver(draft, HOLDER));
  expect(types(openElsewhere)).toEqual(['driver.found', 'run.ending']);
  scenario.state = openElsewhere.state;
  scenario.exits({ code: 0 }).send('m1');
  expect(scenario.types).not.toContain('input.delivered');
  expect(scenario.state).toMatchObject({ run: { phase: 'none' }, driver: HOLDER, queue: [{ stage: { at: 'accepted' } }] });
  expect(scenario.asks({ type: 'session.wake' }).refusal?.refused).toBe('driven-elsewhere');
});

test('a working process is not ended, but the next message waits', () => {
  const scenario = SessionScenario.working().send('m2');
  const openElsewhere = sees(scenario.state, scenario, (draft) => foundDriver(draft, HOLDER));
  expect(types(openElsewhere)).toEqual(['driver.found']);
  scenario.state = openElsewhere.state;
  scenario.says(ended());
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
  const free = sees(scenario.state, scenario, (draft) => lostDriver(draft, 'it has ended'));
  expect(types(free)).toEqual(['driver.gone', 'input.delivered']);
});

test('the same program seen again is recorded once', () => {
  const scenario = SessionScenario.ready();
  const openElsewhere = sees(scenario.state, scenario, (draft) => foundDriver(draft, HOLDER));
  const again = sees(openElsewhere.state, scenario, (draft) => foundDriver(draft, HOLDER));
  expect(types(again)).toEqual([]);
});

test('after a takeover, the session gets its process as soon as the other program is gone', () => {
  const scenario = SessionScenario.ready();
  expect(scenario.asks({ type: 'session.takeover' }).refusal?.refused).toBe('conflict');
  scenario.state = sees(scenario.state, scenario, (draft) => foundDriver(draft, HOLDER)).state;
  scenario.exits({ code: 0 }).asks({ type: 'session.takeover' });
  expect(scenario.effects).toEqual([{ type: 'take-over', pid: 7 }]);
  expect(scenario.state.driver).toMatchObject({ pid: 7, isLeaving: true });
  const free = sees(scenario.state, scenario, (draft) => lostDriver(draft, 'it was taken over'));
  expect(types(free)).toEqual(['driver.gone', 'run.opened']);
  expect(free.state.driver).toBeNull();
});

test('a fork has no conversation before its first message; a resumed session has the one it continues', () => {
  const asleep = (kind: 'fork' | 'resume') => {
    const scenario = new SessionScenario();
    scenario.asks({ type: 'session.create', agent: 'demo' as never, cwd: '/work', options: {}, origin: { kind, agentSessionId: 'A' } });
    return scenario.exits({ code: 0 }).state;
  };
  expect(conversationOf(asleep('fork'))).toBeNull();
  expect(conversationOf(asleep('resume'))).toBe('A');
});
