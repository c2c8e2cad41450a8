import { expect, test } from 'vitest';
import { ALL_CAPABILITIES, asks, ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { RequestId } from '../../protocol/ids.ts';
import type { Rule, RuleId } from '../../protocol/rule.ts';
import type { Judge } from '../policy/judge.ts';

const rule = (behavior: 'allow' | 'deny'): Rule =>
  ({
    id: 'rule1' as RuleId,
    behavior,
    tool: 'Bash',
    command: 'ls',
    scope: { kind: 'everywhere' },
    createdAt: '',
    createdBy: { kind: 'person', id: 'o', name: 'o' },
  }) as Rule;
const judging =
  (behavior: 'allow' | 'deny'): Judge =>
  () => ({ behavior, rules: [rule(behavior)] });

const open = (asked = asks('p1')): { readonly scenario: SessionScenario; readonly requestId: RequestId } => {
  const scenario = SessionScenario.working().says(asked);
  return { scenario, requestId: scenario.state.permissions[0]?.requestId as RequestId };
};
const question = { ...asks('p1'), kind: 'question' } as ReturnType<typeof asks>;
const plan = { ...asks('p1'), kind: 'plan' } as ReturnType<typeof asks>;
const withSuggestions = { ...asks('p1'), suggestions: [{ type: 'addRules' }, { type: 'setMode' }] } as ReturnType<typeof asks>;

test('[R150] a rule answers in the same decision that stores the request, as the author of the answer', () => {
  const scenario = SessionScenario.working()
    .with({ judge: judging('allow') })
    .says(asks('p1'));
  const [resolved] = scenario.of('permission.resolved');
  expect(resolved).toMatchObject({ outcome: 'allowed', behavior: 'allow', actor: { kind: 'rule', id: 'rule1' }, rules: ['rule1'] });
  expect(scenario.effects).toMatchObject([{ type: 'send-answer' }]);
  expect(scenario.state.status.status).toBe('busy');
});

test('a rule that denies tells the agent why', () => {
  const scenario = SessionScenario.working()
    .with({ judge: judging('deny') })
    .says(asks('p1'));
  expect(scenario.of('permission.resolved')[0]).toMatchObject({ outcome: 'denied', message: 'A rule on this server denies it.' });
});

for (const [name, asked] of [
  ['question', question],
  ['plan', plan],
] as const) {
  test(`[R159] a ${name} is for people: no rule answers it`, () => {
    const scenario = SessionScenario.working()
      .with({ judge: judging('allow') })
      .says(asked);
    expect(scenario.state.permissions).toHaveLength(1);
  });
}

test('[R238] a changed call is refused if the agent would run the original: the request stays pending and takes another answer', () => {
  const { scenario, requestId } = open();
  const asked = scenario.state.permissions[0]?.asked;
  const unable = scenario.with({ can: { ...ALL_CAPABILITIES, editInput: false } });
  unable.asks({ type: 'permission.answer', requestId, behavior: 'allow', updatedInput: { command: 'ls -a' } });
  expect(unable.refusal).toMatchObject({ refused: 'not-supported', message: expect.stringContaining('The request is still open') });
  expect([unable.state.permissions.length, unable.effects]).toEqual([1, []]);
  unable.asks({ type: 'permission.answer', requestId, behavior: 'allow', updatedInput: asked?.input ?? {} });
  expect(unable.effects).toMatchObject([{ type: 'send-answer' }]);
});

test('the answers to a question are part of the allow', () => {
  const { scenario, requestId } = open(question);
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow', answers: { Colour: 'Blue' } });
  expect(scenario.of('permission.resolved')[0]).toMatchObject({ outcome: 'allowed', answers: { Colour: 'Blue' } });
});

test('only the chosen suggestions are granted', () => {
  const { scenario, requestId } = open(withSuggestions);
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow', remember: { scope: 'session', suggestions: [1] } });
  expect(scenario.of('permission.resolved')[0]).toMatchObject({ granted: [{ type: 'setMode' }], remember: { scope: 'session' } });
});

const misfits = [
  ['answers to a request that is not a question', asks('p1'), { behavior: 'allow', answers: { a: 'b' } }],
  ['a mode for a request that is not a plan', asks('p1'), { behavior: 'allow', mode: 'plan' }],
  ['an allowed question without an answer', question, { behavior: 'allow' }],
  ['a changed input with a denial', asks('p1'), { behavior: 'deny', updatedInput: {} }],
  ['a denial to be remembered', asks('p1'), { behavior: 'deny', remember: { scope: 'session' } }],
  ['an allow that interrupts', asks('p1'), { behavior: 'allow', interrupt: true }],
  ['a suggestion that was not made', withSuggestions, { behavior: 'allow', remember: { scope: 'session', suggestions: [2] } }],
  ['a question to be remembered', question, { behavior: 'allow', answers: { a: 'b' }, remember: { scope: 'session' } }],
] as const;
for (const [name, asked, body] of misfits) {
  test(`refused with a message, changing nothing: ${name}`, () => {
    const { scenario, requestId } = open(asked as ReturnType<typeof asks>);
    scenario.asks({ type: 'permission.answer', requestId, ...body } as Parameters<SessionScenario['asks']>[0]);
    expect(scenario.refusal?.refused).toBe('bad-request');
    expect(scenario.state.permissions).toHaveLength(1);
  });
}

test('[R144] an input changed to something that a rule denies is refused, naming the rule', () => {
  const { scenario, requestId } = open();
  const judge: Judge = ({ subject }) => (subject.kind === 'command' && subject.command === 'rm' ? { behavior: 'deny', rules: [rule('deny')] } : undefined);
  scenario.with({ judge }).asks({ type: 'permission.answer', requestId, behavior: 'allow', updatedInput: { command: 'rm' } });
  expect(scenario.refusal).toMatchObject({ refused: 'not-permitted', message: expect.stringContaining('"ls"') });
  expect(scenario.state.permissions).toHaveLength(1);
});

test('a request stored without a subject is judged by the subject of its call', () => {
  const judge: Judge = ({ subject }) => (subject.kind === 'command' ? { behavior: 'deny', rules: [rule('deny')] } : undefined);
  expect(SessionScenario.working().with({ judge }).says(asks('p1')).of('permission.resolved')[0]?.outcome).toBe('denied');
});

test('[R143] while an agent is shutting down, neither a person nor a rule can answer its requests', () => {
  const { scenario, requestId } = open();
  scenario.asks({ type: 'session.stop' }).with({ judge: judging('allow') });
  expect(scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow' }).refusal?.refused).toBe('conflict');
  expect(scenario.says(asks('p2')).of('permission.resolved')).toEqual([]);
  expect(
    scenario
      .exits()
      .of('permission.resolved')
      .map((event) => event.outcome),
  ).toEqual(['lapsed', 'lapsed']);
});

test('a late answer is refused with the outcome, and with the reason if nobody answered', () => {
  const { scenario, requestId } = open();
  scenario.exits().asks({ type: 'permission.answer', requestId, behavior: 'allow' });
  expect(scenario.refusal).toMatchObject({ refused: 'already-answered', message: expect.stringContaining('already lapsed: the agent exited') });
});

test('[R142] every end of a request has a reason or an actor', () => {
  const lapsed = open().scenario.exits().of('permission.resolved')[0];
  expect(lapsed).toMatchObject({ outcome: 'lapsed', message: 'the agent exited', actor: { kind: 'system' } });
  const cancelled = open()
    .scenario.says(ended({ aborted: true }))
    .of('permission.resolved')[0];
  expect(cancelled).toMatchObject({ outcome: 'cancelled', message: 'the turn ended', actor: { kind: 'agent' } });
});
