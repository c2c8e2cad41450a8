import * as z from 'zod/mini';
import { emit, emitNothing, ownProperty, remember } from '../../formats/fold.ts';
import { unrecognized } from '../../formats/unrecognized.ts';
import { refusalOf } from './encode.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import { observeReply } from './replies.ts';
import type { State, Step } from './state.ts';
import { subjectOf } from './subject.ts';
import { CanUseTool, ControlCancel, ControlRequest, ControlResponse, Handshake, UserDialog } from './wire.ts';

export const CONTROL_LINES: Readonly<Record<string, LineKind>> = {
  'control_request/can_use_tool': line(CanUseTool, '`permission.asked`', permissionAsked),
  'control_request/request_user_dialog': line(
    UserDialog,
    '`permission.asked` (a question whose only answer dismisses the dialog); we declare no kind of dialog, so the CLI should not send one (types)',
    dialogShown,
  ),
  'control_request/*': line(ControlRequest, '`unrecognised`, and an error is sent back so that the CLI does not wait forever', requestRefused),
  control_cancel_request: line(ControlCancel, '`permission.withdrawn`', withdrawn),
  'control_response/*': line(
    ControlResponse,
    '`agent.ready` for the handshake; `model.changed`, `mode.changed`, `thinking.changed` or `setting.refused` for a setting; `files.rewound`; `reply` for our other requests; nothing for the echo of our own answer',
    answered,
  ),
};

/** The calls that are more than a call. */
export const KINDS: Readonly<Record<string, 'question' | 'plan'>> = { AskUserQuestion: 'question', ExitPlanMode: 'plan' };

function permissionAsked(state: State, { request_id, request }: z.infer<typeof CanUseTool>): Step {
  const kind = ownProperty(KINDS, request.tool_name) ?? 'tool';
  const plans = kind === 'plan' ? remember(state.plans, request_id) : state.plans;
  return emit(
    { ...state, asked: remember(state.asked, request_id), plans },
    {
      type: 'permission.asked',
      agentRequestId: request_id,
      tool: request.tool_name,
      input: request.input,
      kind,
      subject: subjectOf(request.tool_name, request.input),
      ...(request.tool_use_id ? { toolUseId: request.tool_use_id } : {}),
      ...(request.description ? { title: request.description } : {}),
      ...(request.permission_suggestions?.length ? { suggestions: request.permission_suggestions } : {}),
      ...(request.agent_id ? { subagent: request.agent_id } : {}),
    },
  );
}

/**
 * The CLI ignores an error as an answer and waits, some dialogs without a limit; only a person may dismiss one.
 * What is in a dialog differs by kind, so it is shown as it is.
 */
function dialogShown(state: State, { request_id, request }: z.infer<typeof UserDialog>): Step {
  const question = `Claude Code shows a dialog that Signalbox can't display (${request.dialog_kind}). Any answer dismisses it.`;
  return emit(
    { ...state, asked: remember(state.asked, request_id), dialogs: remember(state.dialogs, request_id) },
    {
      type: 'permission.asked',
      agentRequestId: request_id,
      tool: request.dialog_kind,
      input: { questions: [{ question, header: 'Dialog', multiSelect: false, options: [{ label: 'Dismiss' }] }], dialog: request.payload ?? {} },
      kind: 'question',
      ...(request.tool_use_id ? { toolUseId: request.tool_use_id } : {}),
    },
  );
}

/** We register no hooks, so no such request is expected; but without an answer the turn would hang. */
function requestRefused(state: State, asked: z.infer<typeof ControlRequest>): Step {
  const { subtype } = asked.request;
  return {
    state: { ...state, asked: remember(state.asked, asked.request_id) },
    observations: [unrecognized(JSON.stringify(asked), `a request of kind ${subtype}, which was refused`)],
    replies: [refusalOf(asked.request_id, `Signalbox does not answer ${subtype}`)],
  };
}

function withdrawn(state: State, cancel: z.infer<typeof ControlCancel>): Step {
  return emit(state, { type: 'permission.withdrawn', agentRequestId: cancel.request_id, reason: 'the agent withdrew the request' });
}

function answered(state: State, { response }: z.infer<typeof ControlResponse>): Step {
  const to = response.request_id;
  if (to === undefined || state.asked.includes(to)) return emitNothing(state);
  const ok = response.subtype === 'success';
  const handshake = z.safeParse(Handshake, response.response);
  if (ok && handshake.success) return emit({ ...state, handshake: shortened(handshake.data) }, { type: 'agent.ready' });
  const observed = observeReply(state, to, response);
  if (observed !== undefined) return observed;
  const next = ok && to.startsWith('interrupt:') && state.isTurnRunning ? { ...state, isInterrupting: true } : state;
  return emit(next, { type: 'reply', to, ok, ...(response.error ? { detail: response.error } : {}) });
}

/** Descriptions have up to 1,500 characters (2.1.325) and the state is stored often; a menu shows one line. */
const DESCRIPTION_CHARS = 120;

const shortened = ({ commands, models }: z.infer<typeof Handshake>): State['handshake'] => ({
  commands: commands.map(({ name, description, argumentHint }) => ({
    name,
    ...(description ? { description: description.slice(0, DESCRIPTION_CHARS) } : {}),
    ...(argumentHint ? { argumentHint } : {}),
  })),
  models: models.map(({ value, displayName, resolvedModel, supportsThinkingOff }) => ({
    value,
    ...(displayName ? { title: displayName } : {}),
    ...(resolvedModel ? { resolved: resolvedModel } : {}),
    ...(supportsThinkingOff === false ? { alwaysThinks: true } : {}),
  })),
});
