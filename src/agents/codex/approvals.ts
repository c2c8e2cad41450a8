import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { RpcId } from '../formats/json-rpc.ts';
import { keptId } from '../formats/json-rpc.ts';
import { plain } from './live-items.ts';
import { inShell } from './shell-words.ts';
import type { State, Step } from './state.ts';
import { lookUp, tell } from './state.ts';
import { PATCH, SHELL, subjectOf } from './subject.ts';
import type { CommandApproval, FileApproval, Resolved, UserQuestions } from './wire.ts';

type Suggestion = NonNullable<Extract<Observation, { type: 'permission.asked' }>['suggestions']>[number];

export function commandAsked(state: State, id: RpcId, { itemId, command, cwd, reason, ...more }: CommandApproval): Step {
  const words = command ? inShell(command) : '';
  const input = {
    ...(words === '' ? {} : { command: words }),
    ...(cwd ? { cwd } : {}),
    ...(reason ? { reason } : {}),
    ...(more.networkApprovalContext ? { network: more.networkApprovalContext } : {}),
  };
  const suggestions =
    words === '' ? [] : [forSession(words), ...(more.proposedExecpolicyAmendment ?? []).slice(0, 1).map(() => forGood(more.proposedExecpolicyAmendment ?? []))];
  return tell(state, {
    type: 'permission.asked',
    agentRequestId: keptId(id),
    toolUseId: itemId,
    tool: SHELL,
    input,
    ...(reason ? { title: reason } : {}),
    ...(suggestions.length > 0 ? { suggestions } : {}),
    kind: 'tool',
    subject: subjectOf(SHELL, input),
  });
}

/** In the words in which suggestions are shown: this very command, until the thread is closed. */
const forSession = (command: string): Suggestion => ({
  type: 'addRules',
  behavior: 'allow',
  destination: 'session',
  rules: [{ toolName: SHELL, ruleContent: command }],
});

/** Codex writes this one into its own rules: whatever begins like it runs unasked, everywhere. */
const forGood = (amendment: readonly string[]): Suggestion => ({
  type: 'addRules',
  behavior: 'allow',
  destination: 'userSettings',
  rules: [{ toolName: SHELL, ruleContent: `${amendment.join(' ')} …` }],
  amendment: [...amendment],
});

export function filesAsked(state: State, id: RpcId, { itemId, reason, grantRoot }: z.infer<typeof FileApproval>): Step {
  const changes = (lookUp(state.changes, itemId) ?? []).map(plain);
  const input = { changes, ...(reason ? { reason } : {}), ...(grantRoot ? { grantRoot } : {}) };
  const rules = changes.map(({ path }) => ({ toolName: PATCH, ruleContent: path }));
  return tell(state, {
    type: 'permission.asked',
    agentRequestId: keptId(id),
    toolUseId: itemId,
    tool: PATCH,
    input,
    ...(reason ? { title: reason } : {}),
    suggestions: [{ type: 'addRules', behavior: 'allow', destination: 'session', rules }],
    kind: 'tool',
    subject: subjectOf(PATCH, input),
  });
}

/** Made from the types of 0.166.0, and not seen. The id of a question stands in the input, where the answer finds it. */
export function questionsAsked(state: State, id: RpcId, { itemId, questions }: z.infer<typeof UserQuestions>): Step {
  const asked = questions.map(({ id: name, header, question, options }) => ({
    id: name,
    ...(header ? { header } : {}),
    question,
    multiSelect: false,
    options: (options ?? []).map(({ label, description }) => ({ label, ...(description ? { description } : {}) })),
  }));
  return tell(state, {
    type: 'permission.asked',
    agentRequestId: keptId(id),
    toolUseId: itemId,
    tool: 'request_user_input',
    input: { questions: asked },
    kind: 'question',
    subject: { kind: 'other' },
  });
}

/** Said after our own answer too, when nothing is open any more. */
export const requestResolved = (state: State, { requestId }: z.infer<typeof Resolved>): Step =>
  tell(state, { type: 'permission.withdrawn', agentRequestId: keptId(requestId), reason: 'the agent does not wait for it any more' });
