import { expect, test } from 'vitest';
import type { Verdict } from '../port/adapter.ts';
import { encode } from './encode.ts';
import { initial, type State } from './state.ts';
import { translate } from './translate.ts';

const once = { optionId: 'yes-1', name: 'Yes', kind: 'allow_once' };
const always = { optionId: 'yes-n', name: 'Always', kind: 'allow_always' };
const reject = { optionId: 'no-1', name: 'No', kind: 'reject_once' };
const command = { command: 'rm -r build' };
const allow: Verdict = { behavior: 'allow' };
const deny: Verdict = { behavior: 'deny', message: 'no', interrupt: false };

function asked(options: readonly object[]): { readonly state: State; readonly observed: readonly object[] } {
  const toolCall = { toolCallId: 't', title: 'rm -r build', kind: 'execute', rawInput: command };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'session/request_permission', params: { sessionId: 's', toolCall, options } });
  const step = translate({ ...initial(), session: { phase: 'open', id: 's' } }, line);
  return { state: step.state, observed: step.observations };
}
const answered = (verdict: Verdict, options: readonly object[] = [once, always, reject]): readonly object[] =>
  encode({ kind: 'answer', agentRequestId: '5', input: command, verdict }, asked(options).state).map((line) => JSON.parse(line));
const outcome = (optionId?: string) => ({
  jsonrpc: '2.0',
  id: 5,
  result: { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } },
});

test("a request shows the call first, its subject, and the agent's own suggestions", () => {
  expect(asked([once, always, reject]).observed).toMatchObject([
    { type: 'tool.started', toolUseId: 't', name: 'execute', input: command },
    { type: 'capabilities.told', can: { permissions: true } },
    {
      type: 'permission.asked',
      agentRequestId: '5',
      toolUseId: 't',
      subject: { kind: 'command', command: 'rm -r build' },
      suggestions: [{ optionId: 'yes-n', name: 'Always' }],
    },
  ]);
});

const cases: readonly (readonly [string, Verdict, readonly object[] | undefined, string | undefined])[] = [
  ['an allow picks the option for this one time', allow, undefined, 'yes-1'],
  [
    'an allow that should be remembered picks the option that the person chose',
    { ...allow, granted: { suggestions: [{ optionId: 'yes-n' }], forSession: true } },
    undefined,
    'yes-n',
  ],
  ['a denial picks the option that rejects', deny, undefined, 'no-1'],
  ['an allow with unchanged arguments is an allow', { ...allow, updatedInput: { ...command } }, undefined, 'yes-1'],
  ['changed arguments, which the protocol cannot carry, are rejected', { ...allow, updatedInput: { command: 'ls' } }, undefined, 'no-1'],
  ['a denial cancels when there is no option that rejects', deny, [once], undefined],
];
for (const [name, verdict, options, optionId] of cases) {
  test(name, () => expect(answered(verdict, options)).toEqual([outcome(optionId)]));
}

test('a denial that interrupts also cancels the turn', () => {
  expect(answered({ ...deny, interrupt: true })).toMatchObject([outcome('no-1'), { method: 'session/cancel' }]);
});

test('an interrupt cancels the turn, answers open requests, and sends a probe to learn when it was read', () => {
  const lines = encode({ kind: 'interrupt', requestId: 'i' }, asked([once, reject]).state).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ method: 'session/cancel' }, outcome(), { id: 'interrupt:i', method: '_signalbox/mark' }]);
});
