import { expect, test } from 'vitest';
import { SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { AgentId, ItemId } from '../../protocol/ids.ts';
import { decideCommand } from './commands.ts';

const from = (kind: 'resume' | 'fork', afterMessage?: string): SessionScenario =>
  new SessionScenario().asks({
    type: 'session.create',
    agent: 'demo' as AgentId,
    cwd: '/work',
    options: {},
    prompt: 'go on',
    commandId: 'c1',
    origin: { kind, agentSessionId: 'old-mind', ...(afterMessage !== undefined && { afterMessage }) },
  });

test('a resumed conversation continues from the chosen message', () => {
  expect(from('resume', 'u7').of('run.opened')[0]).toMatchObject({ mode: 'resume', agentSessionId: 'old-mind', afterMessage: 'u7' });
});

test('a fork copies the old conversation under a new id on every attempt until it has its own message', () => {
  const scenario = from('fork').exits({ memory: 'absent' });
  const [first, second] = scenario.of('run.opened');
  expect([first?.mode, first?.from, second?.mode, second?.from]).toEqual(['fork', 'old-mind', 'fork', 'old-mind']);
  expect(first?.agentSessionId).not.toBe(second?.agentSessionId);
  scenario.says({ type: 'turn.began', cause: 'input' }, { type: 'input.taken', inputId: 'in-c1' }).exits();
  expect(scenario.advances().send('m2').of('run.opened').at(-1)).toMatchObject({ mode: 'resume', agentSessionId: second?.agentSessionId });
});

test('[R176] inherited events keep their own time and author, and change no state', () => {
  const scenario = new SessionScenario();
  const inherited = [
    { type: 'tool.started', toolUseId: 't', name: 'Bash', input: {}, at: '2026-01-01T00:00:00.000Z' },
    { type: 'user.message', text: 'old words', origin: 'person', itemId: 'u1' as ItemId, at: '2026-01-01T00:00:01.000Z' },
  ] as const;
  const command = { type: 'session.create', commandId: 'c', sessionId: scenario.state.id, agent: 'demo' as AgentId, cwd: '/w', options: {} } as const;
  const decision = decideCommand(scenario.state, { command: { ...command, commandId: 'c' as never }, node: 'n', inherited }, scenario.context());
  if ('refused' in decision) throw new Error(decision.message);
  expect(decision.events.slice(1, 3)).toEqual(inherited.map((event) => ({ ...event, inherited: true })));
  expect([decision.state.openTools, decision.state.meta.firstPrompt]).toEqual([[], 'old words']);
});

test('a conversation open in another program is left alone: the message is delivered when that program is gone', () => {
  const scenario = SessionScenario.ready().asks({ type: 'session.sleep' }).exits({ code: 0 });
  scenario.notes({ type: 'driver.found', pid: 7 }).send('m1');
  expect([scenario.types.at(-1), scenario.asks({ type: 'session.wake' }).refusal?.refused]).toEqual(['input.accepted', 'driven-elsewhere']);
  scenario.notes({ type: 'driver.gone', pid: 7, reason: 'it ended' }).advances();
  expect(scenario.of('input.delivered').at(-1)?.commandId).toBe('m1');
});
