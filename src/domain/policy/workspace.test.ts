import { expect, test } from 'vitest';
import type { Actor } from '../../protocol/actor.ts';
import { isRefusal, type WorkspaceCommand } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import type { RuleBody, RuleId } from '../../protocol/rule.ts';
import { decideWorkspace, emptyWorkspace, evolveWorkspace, rulesOfSession, type WorkspaceState } from './workspace.ts';

const ADA: Actor = { kind: 'person', id: 'ada', name: 'Ada' };
const now = { at: '2026-03-04T05:06:07.089Z', actor: ADA };
const commandId = 'c' as CommandId;
const body: RuleBody = { behavior: 'allow', tool: 'Run', scope: { kind: 'everywhere' } };
const create = (id: string, more: object = {}): WorkspaceCommand => ({ type: 'rule.create', commandId, ruleId: id as RuleId, rule: body, ...more });
const revoke = (id: string): WorkspaceCommand => ({ type: 'rule.revoke', commandId, ruleId: id as RuleId });

/** The workspace after commands that must succeed. */
function after(...commands: readonly WorkspaceCommand[]): WorkspaceState {
  return commands.reduce((state, command) => {
    const events = decideWorkspace(state, command, now);
    if (isRefusal(events)) throw new Error(events.message);
    return events.reduce((next, event, index) => evolveWorkspace(next, { ...event, seq: state.seq + 1 + index, at: now.at } as Event), state);
  }, emptyWorkspace);
}
const ids = ({ rules }: WorkspaceState) => rules.map(({ id }) => id);

test('the active rules are those created and not revoked, oldest first', () => {
  expect(ids(after(create('a'), create('b'), create('c'), revoke('b')))).toEqual(['a', 'c']);
});

test('a rule stores who created it, when, and from which request', () => {
  const [rule] = after(create('a', { fromRequest: 'r:1' })).rules;
  expect(rule).toEqual({ ...body, id: 'a', createdAt: now.at, createdBy: ADA, fromRequest: 'r:1' });
});

test('a rule that replaces another revokes it in the same decision', () => {
  const events = decideWorkspace(after(create('wide')), create('narrow', { replaces: 'wide' }), now);
  expect(events).toMatchObject([
    { type: 'rule.created', rule: { id: 'narrow', replaces: 'wide' } },
    { type: 'rule.revoked', ruleId: 'wide', reason: 'replaced by narrow' },
  ]);
});

const refused: readonly (readonly [string, WorkspaceCommand, string])[] = [
  ['an id that is taken', create('a'), 'conflict'],
  ['replacing a rule that does not exist', create('b', { replaces: 'x' }), 'not-found'],
  ['revoking a rule that does not exist', revoke('x'), 'not-found'],
];
for (const [name, command, code] of refused) {
  test(`${name} is refused`, () => expect(decideWorkspace(after(create('a')), command, now)).toMatchObject({ refused: code }));
}

test('creating and revoking tokens changes no rule', () => {
  const add: WorkspaceCommand = { type: 'token.add', commandId, name: 'vera', role: 'viewer' };
  const state = after(create('a'), add, { type: 'token.revoke', commandId, name: 'vera' });
  expect([ids(state), state.seq]).toEqual([['a'], 3]);
});

test('the rules of a session are those that apply only to it', () => {
  const mine = { ...body, scope: { kind: 'session', sessionId: 's1' as SessionId } } as const;
  const state = after(create('a'), create('b', { rule: mine }), create('c', { rule: { ...mine, scope: { ...mine.scope, sessionId: 's2' as SessionId } } }));
  expect(rulesOfSession(state, 's1' as SessionId).map(({ id }) => id)).toEqual(['b']);
});
