import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing, sendLines } from '../formats/fold.ts';
import { thinkingOf } from '../formats/thinking.ts';
import { modeOf } from './modes.ts';
import type { Purpose, SessionChoices } from './request-id.ts';
import { isOurs, requestLine } from './request-id.ts';
import type { State, Step } from './state.ts';
import { Created, Described, Models, Patched, Resolved } from './wire.ts';

type For<F extends Purpose['for']> = Extract<Purpose, { for: F }>;

/** Subscribes to a new conversation before anything is sent. */
export function created(state: State, { wish: choices }: For<'create'>, payload: unknown): Step {
  const parsed = z.safeParse(Created, payload);
  return parsed.success ? listen(state, parsed.data.key, choices) : notOpened(state, NO_NAME);
}

const NO_NAME = 'the Gateway did not say which conversation it opened';

/** Without a conversation of this id, nothing is opened: a new one would look as if the agent had forgotten everything. */
export function resolved(state: State, purpose: For<'resolve'>, payload: unknown): Step {
  const { sessionId, copies, wish: choices } = purpose;
  const parsed = z.safeParse(Resolved, payload);
  const key = parsed.success && parsed.data.ok ? parsed.data.key : undefined;
  if (key === undefined) return notOpened(state, `OpenClaw has no conversation ${sessionId}, or continued it under another id`);
  if (copies)
    return sendLines(state, requestLine({ for: 'create', wish: choices }, 'sessions.create', { parentSessionKey: key, fork: true, cwd: choices.cwd }));
  return sendLines(state, requestLine({ for: 'describe', sessionId, key, wish: choices }, 'chat.history', { sessionKey: key, limit: 1 }));
}

/**
 * A leftover run of ours (its keeper died) is stopped and waited for: new messages would only be queued behind it. A run
 * that someone else started continues, and is shown.
 */
export function described(state: State, { sessionId, key, wish: choices }: For<'describe'>, payload: unknown): Step {
  const parsed = z.safeParse(Described, payload);
  const { sessionId: now, inFlightRun, sessionInfo } = parsed.success ? parsed.data : {};
  if (now && now !== sessionId) return notOpened(state, `OpenClaw restarted this conversation as ${now}`);
  const active = [...(inFlightRun ? [inFlightRun.runId] : []), ...(sessionInfo?.activeRunIds ?? [])];
  const [leftover] = active.filter(isOurs);
  if (leftover === undefined) return listen(state, key, choices);
  return sendLines(
    { ...state, ended: [...active.filter(isOurs), ...state.ended] },
    requestLine({ for: 'stop' }, 'chat.abort', { sessionKey: key, runId: leftover }),
    requestLine({ for: 'left', key, wish: choices }, 'agent.wait', { runId: leftover, timeoutMs: LEFTOVER_MS }),
  );
}

/** Seen: an abort took less than 0.1 s. */
const LEFTOVER_MS = 5000;

export const listen = (state: State, key: string, choices: SessionChoices): Step =>
  sendLines({ ...state, key }, requestLine({ for: 'subscribe', key, wish: choices }, 'sessions.messages.subscribe', { key, includeApprovals: true }));

/** Thinking is streamed only on request (2026.9.6); the mode is set explicitly, so that the person's own settings don't silently decide it. */
export const subscribed = (state: State, { key, wish: { cwd, mode, model, thinking } }: For<'subscribe'>): Step =>
  sendLines(
    state,
    requestLine({ for: 'open', cwd }, 'sessions.patch', {
      key,
      permissionMode: mode,
      reasoningLevel: 'stream',
      ...(model === undefined ? {} : { model }),
      ...(thinking === undefined ? {} : { thinkingLevel: thinking }),
    }),
    requestLine({ for: 'models' }, 'models.list', {}),
  );

export function opened(state: State, { cwd: asked }: For<'open'>, payload: unknown): Step {
  const parsed = z.safeParse(Patched, payload);
  if (!parsed.success) return notOpened(state, NO_NAME);
  const { entry } = parsed.data;
  const cwd = entry.spawnedCwd ?? asked;
  const thinking = entry.thinkingLevel ? thinkingOf(entry.thinkingLevel) : undefined;
  const description = describedBy(state, parsed.data, cwd);
  const { models } = state;
  const observed: readonly Observation[] = [
    { ...description, ...(models === null ? {} : { models: [...models] }) },
    ...(thinking === undefined ? [] : [{ type: 'thinking.changed', thinking, reason: 'initial level' } as const]),
    { type: 'agent.ready' },
  ];
  return emit(
    { ...state, sessionId: entry.sessionId, cwd, mode: description.permissionMode, models: null, description: models === null ? description : null },
    ...observed,
  );
}

const describedBy = ({ version }: State, { entry, resolved: model }: Patched, cwd: string) => ({
  type: 'session.started' as const,
  agentSessionId: entry.sessionId,
  ...modelIn(model),
  tools: [],
  commands: COMMANDS,
  mcpServers: [],
  permissionMode: modeOf(entry.permissionMode ?? ''),
  ...(version === null ? {} : { version }),
  cwd,
});

const modelIn = (resolvedModel: Patched['resolved']): { readonly model?: string } =>
  resolvedModel?.model ? { model: resolvedModel.modelProvider ? `${resolvedModel.modelProvider}/${resolvedModel.model}` : resolvedModel.model } : {};

/** OpenClaw's own commands that are useful in a session; it accepts all of them. */
const COMMANDS = [
  { name: 'compact', description: 'Replace the conversation so far with a summary' },
  { name: 'status', description: 'Show the session settings' },
];

/** How many models are listed; a person with more can type the name. */
const SHOWN_MODELS = 60;

/** The list may arrive late, when OpenClaw has to fetch it. */
export function listed(state: State, payload: unknown): Step {
  const parsed = z.safeParse(Models, payload);
  const models = (parsed.success ? parsed.data.models : []).slice(0, SHOWN_MODELS).map(({ id, provider, name }) => ({
    value: `${provider}/${id}`,
    ...(name ? { title: name } : {}),
  }));
  if (models.length === 0) return emitNothing(state);
  return state.description === null ? emitNothing({ ...state, models }) : emit({ ...state, description: null }, { ...state.description, models });
}

/** The agent can't be used then. It doesn't exit by itself, so every input is dropped with this reason. */
export const notOpened = (state: State, reason: string): Step =>
  emit(
    { ...state, key: null, closed: reason },
    { type: 'notice.shown', level: 'error', text: `OpenClaw could not open the conversation: ${reason}.` },
    { type: 'agent.ready' },
  );

/** `/new` and `/reset` continue in the same conversation key under another id. */
export function renamed(state: State, sessionId: string | null | undefined): Step {
  if (!sessionId || state.sessionId === null || sessionId === state.sessionId) return emitNothing(state);
  const { version, cwd, mode: permissionMode } = state;
  const named = version === null ? {} : { version };
  return emit(
    { ...state, sessionId },
    { type: 'session.started', agentSessionId: sessionId, tools: [], commands: COMMANDS, mcpServers: [], permissionMode, ...named, cwd },
  );
}
