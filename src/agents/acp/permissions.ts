import * as z from 'zod/mini';
import { andThen, emit, withoutKey } from '../formats/fold.ts';
import type { RpcId } from '../formats/json-rpc.ts';
import { serializeId } from '../formats/json-rpc.ts';
import { capabilitiesObserved } from './capabilities.ts';
import { isCommandInTitle } from './known-agents.ts';
import type { Ask, State, Step } from './state.ts';
import { subjectOf } from './subject.ts';
import { askedAbout, inputOf, nameOf, toolOf } from './tools.ts';
import type { PermissionRequest } from './wire.ts';
import { CancelRequest } from './wire.ts';

/** Far more than are ever open at once. */
const OPEN_ASKS = 20;

/** The agent asks whether a call may run. Its "always" options become suggestions. */
export function permissionAsked(state: State, id: RpcId, { toolCall, options }: PermissionRequest): Step {
  const agentRequestId = serializeId(id);
  const idFor = (...kinds: readonly string[]): string | null => kinds.flatMap((kind) => options.filter((option) => option.kind === kind))[0]?.optionId ?? null;
  const ask: Ask = { toolUseId: toolCall.toolCallId, allow: idFor('allow_once', 'allow_always'), reject: idFor('reject_once', 'reject_always') };
  const forLonger = options.filter(({ kind }) => kind === 'allow_always').map(({ optionId, name }) => ({ optionId, name }));
  return andThen(askedAbout(state, toolCall), (now) => {
    const tool = toolOf(now, toolCall.toolCallId);
    if (tool === undefined) return emit(now);
    const input = inputOf(tool, toolCall, isCommandInTitle(now));
    const asks = { ...Object.fromEntries(Object.entries(now.asks).slice(-OPEN_ASKS)), [agentRequestId]: ask };
    return emit({ ...now, asks }, capabilitiesObserved({ permissions: true }), {
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

/** The agent no longer waits for an answer. */
export function withdrawn(state: State, params: object): Step | undefined {
  const parsed = z.safeParse(CancelRequest, params);
  if (!parsed.success) return undefined;
  const agentRequestId = serializeId(parsed.data.requestId);
  return emit(
    { ...state, asks: withoutKey(state.asks, agentRequestId) },
    { type: 'permission.withdrawn', agentRequestId, reason: 'the agent withdrew the request' },
  );
}
