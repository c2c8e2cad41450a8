import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { modeOf, thinkingOf } from './modes.ts';
import type { State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import { Hello, Models, Opened } from './wire.ts';

export function greeted(state: State, result: unknown): Step {
  const parsed = z.safeParse(Hello, result);
  const version = parsed.success ? /\/([\w.+-]+)/.exec(parsed.data.userAgent)?.[1] : undefined;
  return nothing({ ...state, version: version ?? null });
}

/** Names that are kept until the session is described; a person with more models than this types the name. */
const KEPT_NAMES = 60;

/** The list may come before the thread is open, or long after, when it has to be fetched. */
export function listed(state: State, result: unknown): Step {
  const parsed = z.safeParse(Models, result);
  const shown = parsed.success ? parsed.data.data.filter(({ hidden }) => hidden !== true).slice(0, KEPT_NAMES) : [];
  const models = shown.map(({ model, displayName }) => ({ value: model, ...(displayName ? { title: displayName } : {}) }));
  if (state.description === null) return nothing({ ...state, models });
  return models.length === 0 ? nothing(state) : tell(state, { ...state.description, models });
}

export function opened(state: State, result: unknown): Step {
  const parsed = z.safeParse(Opened, result);
  if (!parsed.success) return notOpened(state, 'Codex does not say which thread it opened.');
  const { thread, modelProvider, sandbox, reasoningEffort } = parsed.data;
  const described = describedBy(state, parsed.data);
  // The list is the service's own; whoever has another provider in his settings would be shown models that he does not have.
  const models = modelProvider === 'openai' ? (state.models ?? []) : [];
  const description = modelProvider === 'openai' && models.length === 0 ? described : null;
  const thinking = reasoningEffort ? thinkingOf(reasoningEffort) : undefined;
  const told: readonly Observation[] = [
    { ...described, ...(models.length > 0 ? { models: [...models] } : {}) },
    ...(thinking === undefined ? [] : [{ type: 'thinking.changed', thinking, reason: 'the agent started with it' } as const]),
    { type: 'agent.ready' },
  ];
  return tell({ ...state, threadId: thread.id, sandbox: sandbox ?? null, models: null, description }, ...told);
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

/** Codex has no such command on this wire; we make a request of it. */
const COMMANDS = [{ name: 'compact', description: 'Replace what was said so far by a summary' }];

/** Nothing can be said to it then. It does not end by itself, so whatever is given to it comes back with this reason. */
export const notOpened = (state: State, reason: string): Step =>
  tell(
    { ...state, closed: reason },
    { type: 'notice.shown', level: 'error', text: `Codex could not open the conversation: ${reason}` },
    { type: 'agent.ready' },
  );
