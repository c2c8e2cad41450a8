import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing } from '../formats/fold.ts';
import type { SendIntent } from '../port/adapter.ts';
import { requestLine } from './request-id.ts';
import type { State, Step } from './state.ts';
import { SHELL, subjectOf } from './subject.ts';
import type { AnyApproval, ExecRequested, ExecResolved } from './wire.ts';

type Suggestion = NonNullable<Extract<Observation, { type: 'permission.asked' }>['suggestions']>[number];

/** The prefix says which method answers it. */
const EXEC = 'exec:';
const OTHER = 'approval:';

export function commandAsked(state: State, { id, request }: ExecRequested): Step {
  const { command, cwd, warningText, toolCallId, resolvedPath, host, allowedDecisions } = request;
  const input = { command, ...given({ cwd, resolvedPath, host, warning: warningText }) };
  const forGood = (allowedDecisions ?? []).includes('allow-always') ? { suggestions: [always(command)] } : {};
  return emit(state, {
    type: 'permission.asked',
    agentRequestId: `${EXEC}${id}`,
    ...(toolCallId ? { toolUseId: toolCallId } : {}),
    tool: SHELL,
    input,
    ...(warningText ? { title: warningText } : {}),
    ...forGood,
    kind: 'tool',
    subject: subjectOf(SHELL, input),
  });
}

const given = (fields: Readonly<Record<string, string | null | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])));

/** OpenClaw adds it to its own list of commands that run without asking. */
const always = (command: string): Suggestion => ({
  type: 'addRules',
  behavior: 'allow',
  destination: 'userSettings',
  rules: [{ toolName: SHELL, ruleContent: command }],
});

/** Also sent after our own answer, when nothing is open anymore. */
export const commandResolved = (state: State, { id, resolvedBy }: z.infer<typeof ExecResolved>): Step =>
  emit(state, { type: 'permission.withdrawn', agentRequestId: `${EXEC}${id}`, reason: `it was answered elsewhere (${resolvedBy ?? 'by OpenClaw'})` });

/** Approvals that aren't about a command. Based on its documentation; never seen. */
export function otherApproval(state: State, { phase, approval: { id, presentation } }: AnyApproval): Step {
  if (presentation.kind === 'exec') return emitNothing(state);
  const agentRequestId = `${OTHER}${id}`;
  if (phase !== 'pending') return emit(state, { type: 'permission.withdrawn', agentRequestId, reason: 'it was answered elsewhere' });
  return emit(state, {
    type: 'permission.asked',
    agentRequestId,
    tool: presentation.kind,
    input: { ...presentation },
    kind: 'tool',
    subject: { kind: 'other' },
  });
}

type Answer = Extract<SendIntent, { kind: 'answer' }>;

/** OpenClaw can only run exactly what it asked for: an edited call must not run in its original form. It doesn't accept a reason for a denial. */
export function answerLines(answer: Answer, state: State): readonly string[] {
  const { agentRequestId, verdict } = answer;
  const [method, id] = agentRequestId.startsWith(EXEC)
    ? (['exec.approval.resolve', agentRequestId.slice(EXEC.length)] as const)
    : (['approval.resolve', agentRequestId.slice(OTHER.length)] as const);
  const line = requestLine({ for: 'answer', approval: agentRequestId }, method, { id, decision: decisionOf(answer) });
  const stops = verdict.behavior === 'deny' && verdict.interrupt && state.key !== null;
  return stops ? [line, requestLine({ for: 'stop' }, 'chat.abort', { sessionKey: state.key })] : [line];
}

function decisionOf({ input, verdict }: Answer): 'allow-once' | 'allow-always' | 'deny' {
  if (verdict.behavior === 'deny') return 'deny';
  const { updatedInput, granted } = verdict;
  if (updatedInput !== undefined && JSON.stringify(updatedInput) !== JSON.stringify(input)) return 'deny';
  return granted !== undefined && granted.suggestions.length > 0 && !granted.forSession ? 'allow-always' : 'allow-once';
}
