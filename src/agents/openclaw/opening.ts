import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { modeOf, thinkingOf } from './modes.ts';
import type { Purpose, Wish } from './request-id.ts';
import { isOurs, requestLine } from './request-id.ts';
import type { State, Step } from './state.ts';
import { ask, nothing, tell } from './state.ts';
import { Created, Described, Models, Patched, Resolved } from './wire.ts';

type For<F extends Purpose['for']> = Extract<Purpose, { for: F }>;

/** A conversation that was made is listened to before anything is said in it. */
export function created(state: State, { wish }: For<'create'>, payload: unknown): Step {
  const parsed = z.safeParse(Created, payload);
  return parsed.success ? listen(state, parsed.data.key, wish) : notOpened(state, NO_NAME);
}

const NO_NAME = 'the Gateway does not say which conversation it opened';

/** Without a conversation of this id nothing is opened: a fresh one in its place would look as if the agent had forgotten everything. */
export function resolved(state: State, purpose: For<'resolve'>, payload: unknown): Step {
  const { sessionId, copies, wish } = purpose;
  const parsed = z.safeParse(Resolved, payload);
  const key = parsed.success && parsed.data.ok ? parsed.data.key : undefined;
  if (key === undefined) return notOpened(state, `OpenClaw has no conversation ${sessionId}, or has gone on from it under another id`);
  if (copies) return ask(state, requestLine({ for: 'create', wish }, 'sessions.create', { parentSessionKey: key, fork: true, cwd: wish.cwd }));
  return ask(state, requestLine({ for: 'describe', sessionId, key, wish }, 'chat.history', { sessionKey: key, limit: 1 }));
}

/**
 * A run of ours that nobody has listened to since (its keeper died) is stopped, and waited for: what is said meanwhile would only be queued behind it. One
 * that somebody else began goes on, and is shown.
 */
export function described(state: State, { sessionId, key, wish }: For<'describe'>, payload: unknown): Step {
  const parsed = z.safeParse(Described, payload);
  const { sessionId: now, inFlightRun, sessionInfo } = parsed.success ? parsed.data : {};
  if (now && now !== sessionId) return notOpened(state, `OpenClaw has begun this conversation anew, as ${now}`);
  const active = [...(inFlightRun ? [inFlightRun.runId] : []), ...(sessionInfo?.activeRunIds ?? [])];
  const [left] = active.filter(isOurs);
  if (left === undefined) return listen(state, key, wish);
  return ask(
    { ...state, ended: [...active.filter(isOurs), ...state.ended] },
    requestLine({ for: 'stop' }, 'chat.abort', { sessionKey: key, runId: left }),
    requestLine({ for: 'left', key, wish }, 'agent.wait', { runId: left, timeoutMs: LEFT_MS }),
  );
}

/** An abort was over within 0.1 s. */
const LEFT_MS = 5000;

export const listen = (state: State, key: string, wish: Wish): Step =>
  ask({ ...state, key }, requestLine({ for: 'subscribe', key, wish }, 'sessions.messages.subscribe', { key, includeApprovals: true }));

/** Thoughts are streamed only when that is asked for (2026.9.6); a mode is said outright, so that the person's own settings do not decide it in silence. */
export const subscribed = (state: State, { key, wish: { cwd, mode, model, thinking } }: For<'subscribe'>): Step =>
  ask(
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
  const told: readonly Observation[] = [
    { ...description, ...(models === null ? {} : { models: [...models] }) },
    ...(thinking === undefined ? [] : [{ type: 'thinking.changed', thinking, reason: 'the agent started with it' } as const]),
    { type: 'agent.ready' },
  ];
  return tell(
    { ...state, sessionId: entry.sessionId, cwd, mode: description.permissionMode, models: null, description: models === null ? description : null },
    ...told,
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

/** Those of OpenClaw's own commands that are of use in a session; it takes all of them. */
const COMMANDS = [
  { name: 'compact', description: 'Replace what was said so far by a summary' },
  { name: 'status', description: 'What the session runs with' },
];

/** Names that are shown; a person with more models than this types the name. */
const SHOWN_MODELS = 60;

/** The list may take long, where it has to be fetched. */
export function listed(state: State, payload: unknown): Step {
  const parsed = z.safeParse(Models, payload);
  const models = (parsed.success ? parsed.data.models : []).slice(0, SHOWN_MODELS).map(({ id, provider, name }) => ({
    value: `${provider}/${id}`,
    ...(name ? { title: name } : {}),
  }));
  if (models.length === 0) return nothing(state);
  return state.description === null ? nothing({ ...state, models }) : tell({ ...state, description: null }, { ...state.description, models });
}

/** Nothing can be said to it then. It does not end by itself, so whatever is given to it comes back with this reason. */
export const notOpened = (state: State, reason: string): Step =>
  tell(
    { ...state, key: null, closed: reason },
    { type: 'notice.shown', level: 'error', text: `OpenClaw could not open the conversation: ${reason}.` },
    { type: 'agent.ready' },
  );

/** `/new` and `/reset` go on in the same place under another id. */
export function renamed(state: State, sessionId: string | null | undefined): Step {
  if (!sessionId || state.sessionId === null || sessionId === state.sessionId) return nothing(state);
  const { version, cwd, mode: permissionMode } = state;
  const named = version === null ? {} : { version };
  return tell(
    { ...state, sessionId },
    { type: 'session.started', agentSessionId: sessionId, tools: [], commands: COMMANDS, mcpServers: [], permissionMode, ...named, cwd },
  );
}
