import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing } from '../formats/fold.ts';
import { thinkingOf } from '../formats/thinking.ts';
import { modeOf } from './modes.ts';
import type { State, Step } from './state.ts';
import { HandshakeResult, Models, Opened } from './wire.ts';

export function handshakeAnswered(state: State, result: unknown): Step {
  const parsed = z.safeParse(HandshakeResult, result);
  const version = parsed.success ? /\/([\w.+-]+)/.exec(parsed.data.userAgent)?.[1] : undefined;
  return emitNothing({ ...state, version: version ?? null });
}

/** How many models are listed; a person with more can type the name. */
const KEPT_NAMES = 60;

/** The list may arrive before the thread is open, or long after, when Codex has to fetch it. */
export function listed(state: State, result: unknown): Step {
  const parsed = z.safeParse(Models, result);
  const shown = parsed.success ? parsed.data.data.filter(({ hidden }) => hidden !== true).slice(0, KEPT_NAMES) : [];
  const models = shown.map(({ model, displayName }) => ({ value: model, ...(displayName ? { title: displayName } : {}) }));
  if (state.description === null) return emitNothing({ ...state, models });
  return models.length === 0 ? emitNothing(state) : emit(state, { ...state.description, models });
}

export function opened(state: State, result: unknown): Step {
  const parsed = z.safeParse(Opened, result);
  if (!parsed.success) return notOpened(state, 'Codex did not say which thread it opened.');
  const { thread, modelProvider, sandbox, reasoningEffort } = parsed.data;
  const described = describedBy(state, parsed.data);
  // The list is OpenAI's own; with another provider it would show models that aren't available.
  const models = modelProvider === 'openai' ? (state.models ?? []) : [];
  const description = modelProvider === 'openai' && models.length === 0 ? described : null;
  const thinking = reasoningEffort ? thinkingOf(reasoningEffort) : undefined;
  const observed: readonly Observation[] = [
    { ...described, ...(models.length > 0 ? { models: [...models] } : {}) },
    ...(thinking === undefined ? [] : [{ type: 'thinking.changed', thinking, reason: 'initial level' } as const]),
    { type: 'agent.ready' },
  ];
  return emit({ ...state, threadId: thread.id, sandbox: sandbox ?? null, models: null, description }, ...observed);
}

const describedBy = ({ version }: State, { thread, model, cwd, approvalPolicy, sandbox }: Opened) => ({
  type: 'session.started' as const,
  agentSessionId: thread.id,
  ...(model ? { model } : {}),
  tools: [],
  commands: COMMANDS,
  mcpServers: [],
  permissionMode: modeOf(approvalPolicy, sandbox?.type),
  ...(version === null ? {} : { version }),
  cwd,
});

/** Not a command on this wire; we turn it into a request. */
const COMMANDS = [{ name: 'compact', description: 'Replace the conversation so far with a summary' }];

/** The agent can't be used then. It doesn't exit by itself, so every input is dropped with this reason. */
export const notOpened = (state: State, reason: string): Step =>
  emit(
    { ...state, closed: reason },
    { type: 'notice.shown', level: 'error', text: `Codex could not open the conversation: ${reason}` },
    { type: 'agent.ready' },
  );
