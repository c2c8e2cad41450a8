import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing } from '../formats/fold.ts';
import { requestLine } from '../formats/json-rpc.ts';
import { handshakeCapabilities, sessionCapabilities } from './capabilities.ts';
import { ownModesOf } from './own-modes.ts';
import type { Purpose, SessionChoices } from './request-id.ts';
import { idOf } from './request-id.ts';
import { configsOf, currentOf, isPermission, settingRequest, valuesOf } from './settings.ts';
import type { Described, Login, State, Step } from './state.ts';
import type { AuthMethod, CommandsUpdate, SessionResult } from './wire.ts';
import { InitializeResult, PROTOCOL_VERSION, SessionResult as SessionAnswer } from './wire.ts';

/** The handshake's answer says what the agent is; next comes the session. */
export function handshakeAnswered(state: State, result: unknown, choices: SessionChoices): Step {
  const parsed = z.safeParse(InitializeResult, result);
  if (!parsed.success) return refused(state, 'The agent did not report its capabilities. It may speak another protocol than ACP.');
  const { protocolVersion, agentInfo, authMethods } = parsed.data;
  if (protocolVersion !== PROTOCOL_VERSION)
    return refused(state, `The agent uses ACP version ${protocolVersion}; Signalbox supports version ${PROTOCOL_VERSION}.`);
  const abilities = handshakeCapabilities(parsed.data);
  const next: State = {
    ...state,
    cwd: choices.cwd,
    version: agentInfo?.version ?? null,
    agentName: agentInfo?.name ?? '',
    logins: loginsOf(authMethods ?? []),
    canLoad: abilities.includes('resume'),
    abilities,
  };
  switch (choices.mode) {
    case 'new':
      return { ...emitNothing(next), replies: [newLine(choices)] };
    case 'resume':
      return resumed(next, choices);
    case 'fork':
      return abilities.includes('fork')
        ? { ...emitNothing(loading(next)), replies: [forkLine(choices)] }
        : refused(next, 'This agent cannot copy a conversation.');
  }
}

const KEPT_LOGINS = 10;

/** The ways to log in, with what each needs. */
const loginsOf = (methods: readonly AuthMethod[]): readonly Login[] =>
  methods.slice(0, KEPT_LOGINS).map(({ id, name, description, _meta }) => {
    const terminal = _meta?.['terminal-auth'];
    const command = terminal == null ? [] : [`In a terminal: ${[terminal.command, ...(terminal.args ?? [])].join(' ')}`];
    return { id, name, description: [...(description ? [description] : []), ...command].join('. ') };
  });

/** An agent that can't resume a conversation starts a new one, and the person gets a notice. */
function resumed(state: State, choices: SessionChoices): Step {
  if (state.canLoad) return { ...emitNothing(loading(state)), replies: [loadLine(choices)] };
  return { ...emit(state, { type: 'notice.shown', level: 'warning', text: CANNOT_RESUME }), replies: [newLine(choices)] };
}

const loading = (state: State): State => ({ ...state, session: { phase: 'loading', hasTold: false } });

const CANNOT_RESUME = 'This agent cannot resume a conversation: it does not know the messages above.';

/** The request that opens the session, once more. */
export const openingLine = ({ for: what, wish }: Extract<Purpose, { for: 'new' | 'load' }>): string =>
  what === 'load' ? loadLine(wish) : wish.mode === 'fork' ? forkLine(wish) : newLine(wish);

const newLine = (choices: SessionChoices): string => requestLine(idOf({ for: 'new', wish: choices }), 'session/new', { cwd: choices.cwd, mcpServers: [] });
const loadLine = (choices: SessionChoices): string =>
  requestLine(idOf({ for: 'load', wish: choices }), 'session/load', { sessionId: choices.sessionId, cwd: choices.cwd, mcpServers: [] });

// Not in any protocol version yet. Agents that support it (OpenCode 1.18.33, claude-agent-acp 0.99.0) answer it like `session/new`; OpenCode repeats the conversation first.
const forkLine = (choices: SessionChoices): string =>
  requestLine(idOf({ for: 'new', wish: choices }), 'session/fork', { sessionId: choices.sessionId, cwd: choices.cwd, mcpServers: [] });

/** The session is open. The person's choices are sent before the first message. */
export function opened(state: State, result: unknown, purpose: Extract<Purpose, { for: 'new' | 'load' }>): Step {
  const parsed = z.safeParse(SessionAnswer, result ?? {});
  if (!parsed.success) return refused(state, 'The agent did not open a session.');
  const { wish: choices } = purpose;
  const id = parsed.data.sessionId ?? (purpose.for === 'load' ? choices.sessionId : undefined);
  if (id === undefined) return refused(state, 'The agent started a session but did not say which.');
  // Some agents make a new session for an unknown id (OpenClaw 2026.9.6): it would know nothing of the conversation.
  if (purpose.for === 'load' && id !== choices.sessionId) return refused(state, OTHER_SESSION);
  const described = descriptionOf(state, id, parsed.data);
  const next: State = {
    ...state,
    session: { phase: 'open', id },
    described,
    configs: configsOf(parsed.data.configOptions ?? []),
    modes: modesIn(parsed.data),
    ownModes: ownModesOf(parsed.data),
    isNew: purpose.for === 'new' && choices.mode === 'new',
  };
  const isBlank = purpose.for === 'load' && state.session.phase === 'loading' && !state.session.hasTold;
  const warnings: readonly Observation[] = isBlank ? [{ type: 'notice.shown', level: 'warning', text: NOTHING_REPEATED }] : [];
  return {
    ...emit(next, described, sessionCapabilities(next), ...warnings, { type: 'agent.ready' }),
    replies: choiceRequests(next, id, choices),
  };
}

/** The protocol requires an agent to repeat a conversation when it loads it. */
const NOTHING_REPEATED = 'The agent did not repeat the earlier conversation when it resumed it. It may not know the messages above.';

const OTHER_SESSION = 'The agent no longer knows this conversation and started another one. Nothing was sent to it.';

const modesIn = ({ modes }: SessionResult): readonly string[] => (modes?.availableModes ?? []).map(({ id }) => id).slice(0, 20);

function choiceRequests(state: State, sessionId: string, { model, permissionMode, thinking }: SessionChoices): readonly string[] {
  const settings = [
    ['model', model],
    ['mode', permissionMode],
    ['thinking', thinking],
  ] as const;
  return settings.flatMap(([setting, value]) => (value === undefined ? [] : [settingRequest(state, sessionId, { setting, value })]));
}

const KEPT_NAMES = 40;
const DESCRIPTION_CHARS = 80;

function descriptionOf(state: State, agentSessionId: string, { configOptions, modes }: SessionResult): Described {
  const configs = configsOf(configOptions ?? []);
  const model = currentOf(configs, 'model');
  const areModes = isPermission([...modesIn({ modes }), ...valuesOf(configs, 'mode')], ownModesOf({ modes, configOptions }));
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
