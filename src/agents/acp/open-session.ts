import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing } from '../formats/fold.ts';
import { requestLine } from '../formats/json-rpc.ts';
import { handshakeCapabilities, sessionCapabilities } from './capabilities.ts';
import type { Purpose, SessionChoices } from './request-id.ts';
import { idOf } from './request-id.ts';
import { configsOf, currentOf, isPermission, settingRequest, valuesOf } from './settings.ts';
import type { Described, State, Step } from './state.ts';
import type { CommandsUpdate, SessionResult } from './wire.ts';
import { InitializeResult, PROTOCOL_VERSION, SessionResult as SessionAnswer } from './wire.ts';

/** The handshake's answer says what the agent is; next comes the session. */
export function handshakeAnswered(state: State, result: unknown, wish: SessionChoices): Step {
  const parsed = z.safeParse(InitializeResult, result);
  if (!parsed.success) return refused(state, 'The agent did not report its capabilities. It may speak another protocol than ACP.');
  const { protocolVersion, agentInfo } = parsed.data;
  if (protocolVersion !== PROTOCOL_VERSION)
    return refused(state, `The agent uses ACP version ${protocolVersion}; Signalbox supports version ${PROTOCOL_VERSION}.`);
  const abilities = handshakeCapabilities(parsed.data);
  const next: State = { ...state, cwd: wish.cwd, version: agentInfo?.version ?? null, canLoad: abilities.includes('resume'), abilities };
  switch (wish.mode) {
    case 'new':
      return { ...emitNothing(next), replies: [newLine(wish)] };
    case 'resume':
      return resumed(next, wish);
    case 'fork':
      return abilities.includes('fork')
        ? { ...emitNothing(loading(next)), replies: [forkLine(wish)] }
        : refused(next, 'This agent cannot copy a conversation.');
  }
}

/** An agent that can't resume a conversation starts a new one, and the person gets a notice. */
function resumed(state: State, wish: SessionChoices): Step {
  if (state.canLoad) return { ...emitNothing(loading(state)), replies: [loadLine(wish)] };
  return { ...emit(state, { type: 'notice.shown', level: 'warning', text: FORGETFUL }), replies: [newLine(wish)] };
}

const loading = (state: State): State => ({ ...state, session: { phase: 'loading', hasTold: false } });

const FORGETFUL = 'This agent cannot resume a conversation: it does not know the messages above.';

const newLine = (wish: SessionChoices): string => requestLine(idOf({ for: 'new', wish }), 'session/new', { cwd: wish.cwd, mcpServers: [] });
const loadLine = (wish: SessionChoices): string =>
  requestLine(idOf({ for: 'load', wish }), 'session/load', { sessionId: wish.sessionId, cwd: wish.cwd, mcpServers: [] });

// Not in any protocol version yet; agents that support it (OpenCode 1.18.33, claude-agent-acp 0.99.0) answer as to `session/new`; OpenCode repeats the conversation first.
const forkLine = (wish: SessionChoices): string =>
  requestLine(idOf({ for: 'new', wish }), 'session/fork', { sessionId: wish.sessionId, cwd: wish.cwd, mcpServers: [] });

/** The session is open. The person's choices are sent before the first message. */
export function opened(state: State, result: unknown, purpose: Extract<Purpose, { for: 'new' | 'load' }>): Step {
  const parsed = z.safeParse(SessionAnswer, result ?? {});
  if (!parsed.success) return refused(state, 'The agent did not open a session.');
  const { wish } = purpose;
  const id = parsed.data.sessionId ?? (purpose.for === 'load' ? wish.sessionId : undefined);
  if (id === undefined) return refused(state, 'The agent started a session but did not say which.');
  // Some agents make a new session for an unknown id (OpenClaw 2026.9.6): it would know nothing of the conversation.
  if (purpose.for === 'load' && id !== wish.sessionId) return refused(state, OTHER_SESSION);
  const described = descriptionOf(state, id, parsed.data);
  const next: State = {
    ...state,
    session: { phase: 'open', id },
    described,
    configs: configsOf(parsed.data.configOptions ?? []),
    modes: modesIn(parsed.data),
    isNew: purpose.for === 'new' && wish.mode === 'new',
  };
  const isBlank = purpose.for === 'load' && state.session.phase === 'loading' && !state.session.hasTold;
  const doubts: readonly Observation[] = isBlank ? [{ type: 'notice.shown', level: 'warning', text: BLANK }] : [];
  return {
    ...emit(next, described, sessionCapabilities(next), ...doubts, { type: 'agent.ready' }),
    replies: wishes(next, id, wish),
  };
}

/** The protocol requires an agent to repeat a conversation when it loads it. */
const BLANK = 'The agent did not repeat the earlier conversation when it resumed it. It may not know the messages above.';

const OTHER_SESSION = 'The agent no longer knows this conversation and started another one. Nothing was sent to it.';

const modesIn = ({ modes }: SessionResult): readonly string[] => (modes?.availableModes ?? []).map(({ id }) => id).slice(0, 20);

function wishes(state: State, sessionId: string, { model, permissionMode, thinking }: SessionChoices): readonly string[] {
  const wished = [
    ['model', model],
    ['mode', permissionMode],
    ['thinking', thinking],
  ] as const;
  return wished.flatMap(([setting, value]) => (value === undefined ? [] : [settingRequest(state, sessionId, { setting, value })]));
}

const KEPT_NAMES = 40;
const DESCRIPTION_CHARS = 80;

function descriptionOf(state: State, agentSessionId: string, { configOptions, modes }: SessionResult): Described {
  const configs = configsOf(configOptions ?? []);
  const model = currentOf(configs, 'model');
  const areModes = isPermission([...modesIn({ modes }), ...valuesOf(configs, 'mode')]);
  const permissionMode = areModes ? (modes?.currentModeId ?? currentOf(configs, 'mode')) : undefined;
  return {
    type: 'session.started',
    agentSessionId,
    ...(model === undefined ? {} : { model }),
    tools: [],
    commands: [],
    mcpServers: [],
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(state.version === null ? {} : { version: state.version }),
    cwd: state.cwd,
    models: valuesOf(configs, 'model')
      .slice(0, KEPT_NAMES)
      .map((value) => ({ value })),
    agentCapabilities: [...state.abilities],
  };
}

/** The commands arrive soon after the session opens; the session is then reported again with them. */
export function observeCommands(state: State, { availableCommands }: CommandsUpdate): Step {
  if (state.described === null) return emitNothing(state);
  const commands = availableCommands.map(({ name, description, input }) => ({
    name,
    ...(description ? { description: description.slice(0, DESCRIPTION_CHARS) } : {}),
    ...(input?.hint ? { argumentHint: input.hint } : {}),
  }));
  return emit({ ...state, described: null }, { ...state.described, commands });
}

/** There is no session. Messages fail with the reason. */
export function refused(state: State, why: string): Step {
  const observed: readonly Observation[] = [{ type: 'notice.shown', level: 'error', text: why }, { type: 'agent.ready' }];
  return emit({ ...state, session: { phase: 'refused', why } }, ...observed);
}
