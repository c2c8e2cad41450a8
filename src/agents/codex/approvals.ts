import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, ownProperty } from '../formats/fold.ts';
import type { RpcId } from '../formats/json-rpc.ts';
import { serializeId } from '../formats/json-rpc.ts';
import { shown } from './live-changes.ts';
import type { State, Step } from './state.ts';
import { PATCH, SHELL, subjectOf } from './subject.ts';
import { unwrapShell } from './unwrap-shell.ts';
import type { CommandApproval, FileApproval, Resolved, UserQuestions } from './wire.ts';

type Suggestion = NonNullable<Extract<Observation, { type: 'permission.asked' }>['suggestions']>[number];

export function commandAsked(state: State, id: RpcId, { itemId, command, cwd, reason, ...more }: CommandApproval): Step {
  const words = command ? unwrapShell(command) : '';
  const input = {
    ...(words === '' ? {} : { command: words }),
    ...(cwd ? { cwd } : {}),
    ...(reason ? { reason } : {}),
    ...(more.networkApprovalContext ? { network: more.networkApprovalContext } : {}),
  };
  const suggestions =
    words === '' ? [] : [forSession(words), ...(more.proposedExecpolicyAmendment ?? []).slice(0, 1).map(() => forGood(more.proposedExecpolicyAmendment ?? []))];
  return emit(state, {
    type: 'permission.asked',
    agentRequestId: serializeId(id),
    toolUseId: itemId,
    tool: SHELL,
    input,
    ...(reason ? { title: reason } : {}),
    ...(suggestions.length > 0 ? { suggestions } : {}),
    kind: 'tool',
    subject: subjectOf(SHELL, input),
  });
}

/** A suggestion to allow exactly this command until the thread is closed. */
const forSession = (command: string): Suggestion => ({
  type: 'addRules',
  behavior: 'allow',
  destination: 'session',
  rules: [{ toolName: SHELL, ruleContent: command }],
});

/** Codex writes this into its own rules: any command with this prefix then runs without asking, everywhere. */
const forGood = (amendment: readonly string[]): Suggestion => ({
  type: 'addRules',
  behavior: 'allow',
  destination: 'userSettings',
  rules: [{ toolName: SHELL, ruleContent: `${amendment.join(' ')} …` }],
  amendment: [...amendment],
});

export function filesAsked(state: State, id: RpcId, { itemId, reason, grantRoot }: z.infer<typeof FileApproval>): Step {
  const changes = (ownProperty(state.changes, itemId) ?? []).map(shown);
  const isShort = changes.length > 0 && changes.every((change) => 'patch' in change);
  const input = { changes, ...(isShort ? {} : { note: TOO_LONG }), ...(reason ? { reason } : {}), ...(grantRoot ? { grantRoot } : {}) };
  const rules = changes.map(({ path }) => ({ toolName: PATCH, ruleContent: path }));
  return emit(state, {
    type: 'permission.asked',
    agentRequestId: serializeId(id),
    toolUseId: itemId,
    tool: PATCH,
    input,
    ...(reason ? { title: reason } : {}),
    suggestions: [{ type: 'addRules', behavior: 'allow', destination: 'session', rules }],
    kind: 'tool',
    subject: subjectOf(PATCH, input),
  });
}

const TOO_LONG = 'The patch is too long to show here. See the full patch at its tool call in the transcript.';

/** Based on the types of 0.166.0; never seen. The input carries the question's id for the answer. */
export function questionsAsked(state: State, id: RpcId, { itemId, questions }: z.infer<typeof UserQuestions>): Step {
  const asked = questions.map(({ id: name, header, question, options }) => ({
    id: name,
    ...(header ? { header } : {}),
    question,
    multiSelect: false,
    options: (options ?? []).map(({ label, description }) => ({ label, ...(description ? { description } : {}) })),
  }));
  return emit(state, {
    type: 'permission.asked',
    agentRequestId: serializeId(id),
    toolUseId: itemId,
    tool: 'request_user_input',
    input: { questions: asked },
    kind: 'question',
    subject: { kind: 'other' },
  });
}

/** Also sent after our own answer, when nothing is open anymore. */
export const requestResolved = (state: State, { requestId }: z.infer<typeof Resolved>): Step =>
  emit(state, { type: 'permission.withdrawn', agentRequestId: serializeId(requestId), reason: 'the agent no longer waits for it' });
