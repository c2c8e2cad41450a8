import * as z from 'zod/mini';
import type { RpcId } from '../formats/json-rpc.ts';
import { keptId } from '../formats/json-rpc.ts';
import { told } from './abilities.ts';
import type { Ask, State, Step } from './state.ts';
import { andThen, tell, without } from './state.ts';
import { subjectOf } from './subject.ts';
import { askedAbout, inputOf, nameOf, toolOf } from './tools.ts';
import type { PermissionRequest } from './wire.ts';
import { CancelRequest } from './wire.ts';

/** Far more than are ever open at once. */
const OPEN_ASKS = 20;

/** The agent wants to know whether a call may run. Its own options for longer than this once go along as suggestions. */
export function permissionAsked(state: State, id: RpcId, { toolCall, options }: PermissionRequest): Step {
  const agentRequestId = keptId(id);
  const idFor = (...kinds: readonly string[]): string | null => kinds.flatMap((kind) => options.filter((option) => option.kind === kind))[0]?.optionId ?? null;
  const ask: Ask = { toolUseId: toolCall.toolCallId, allow: idFor('allow_once', 'allow_always'), reject: idFor('reject_once', 'reject_always') };
  const forLonger = options.filter(({ kind }) => kind === 'allow_always').map(({ optionId, name }) => ({ optionId, name }));
  return andThen(askedAbout(state, toolCall), (now) => {
    const tool = toolOf(now, toolCall.toolCallId);
    if (tool === undefined) return tell(now);
    const input = inputOf(tool, toolCall);
    const asks = { ...Object.fromEntries(Object.entries(now.asks).slice(-OPEN_ASKS)), [agentRequestId]: ask };
    return tell({ ...now, asks }, told({ permissions: true }), {
      type: 'permission.asked',
      agentRequestId,
      toolUseId: toolCall.toolCallId,
      tool: nameOf(tool),
      input,
      kind: 'tool',
      subject: subjectOf(tool.kind, input, tool.paths),
      ...(tool.title === '' ? {} : { title: tool.title }),
      ...(forLonger.length > 0 ? { suggestions: forLonger } : {}),
    });
  });
}

/** The agent does not wait for an answer any more. */
export function withdrawn(state: State, params: object): Step | undefined {
  const parsed = z.safeParse(CancelRequest, params);
  if (!parsed.success) return undefined;
  const agentRequestId = keptId(parsed.data.requestId);
  return tell(
    { ...state, asks: without(state.asks, agentRequestId) },
    { type: 'permission.withdrawn', agentRequestId, reason: 'the agent does not ask any more' },
  );
}
