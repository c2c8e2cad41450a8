import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { requestLine } from '../formats/json-rpc.ts';
import { abilitiesOf, capabilitiesTold } from './abilities.ts';
import type { Purpose, Wish } from './purpose.ts';
import { idOf } from './purpose.ts';
import { configsOf, currentOf, isPermission, settingRequest, valuesOf } from './settings.ts';
import type { Described, State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import type { CommandsUpdate, SessionResult } from './wire.ts';
import { InitializeResult, PROTOCOL_VERSION, SessionResult as SessionAnswer } from './wire.ts';

/** The answer to the handshake: what the agent is. What follows is a session. */
export function greeted(state: State, result: unknown, wish: Wish): Step {
  const parsed = z.safeParse(InitializeResult, result);
  if (!parsed.success) return refused(state, 'The agent does not say what it can do: it may speak another protocol than ACP.');
  const { protocolVersion, agentInfo } = parsed.data;
  if (protocolVersion !== PROTOCOL_VERSION)
    return refused(state, `The agent speaks version ${protocolVersion} of ACP; this server speaks ${PROTOCOL_VERSION}.`);
  const abilities = abilitiesOf(parsed.data);
  const next: State = { ...state, cwd: wish.cwd, version: agentInfo?.version ?? null, canLoad: abilities.includes('resume'), abilities };
  switch (wish.mode) {
    case 'new':
      return { ...nothing(next), replies: [newLine(wish)] };
    case 'resume':
      return resumed(next, wish);
    case 'fork':
      return abilities.includes('fork') ? { ...nothing(loading(next)), replies: [forkLine(wish)] } : refused(next, 'This agent cannot copy a conversation.');
  }
}

/** An agent that cannot go on with a conversation begins a fresh one, and the person is told. */
function resumed(state: State, wish: Wish): Step {
  if (state.canLoad) return { ...nothing(loading(state)), replies: [loadLine(wish)] };
  return { ...tell(state, { type: 'notice.shown', level: 'warning', text: FORGETFUL }), replies: [newLine(wish)] };
}

const loading = (state: State): State => ({ ...state, session: { phase: 'loading', hasTold: false } });

const FORGETFUL = 'This agent cannot go on with an earlier conversation: it does not know what was said above.';

const newLine = (wish: Wish): string => requestLine(idOf({ for: 'new', wish }), 'session/new', { cwd: wish.cwd, mcpServers: [] });
const loadLine = (wish: Wish): string => requestLine(idOf({ for: 'load', wish }), 'session/load', { sessionId: wish.sessionId, cwd: wish.cwd, mcpServers: [] });

// In no version of the protocol yet; those that tell of it (OpenCode 1.18.33, claude-agent-acp 0.99.0) answer as to `session/new`; OpenCode tells the conversation again first.
const forkLine = (wish: Wish): string => requestLine(idOf({ for: 'new', wish }), 'session/fork', { sessionId: wish.sessionId, cwd: wish.cwd, mcpServers: [] });

/** The session is there. What a person chose for it is asked for before the first message. */
export function opened(state: State, result: unknown, purpose: Extract<Purpose, { for: 'new' | 'load' }>): Step {
  const parsed = z.safeParse(SessionAnswer, result ?? {});
  if (!parsed.success) return refused(state, 'The agent gives no session that could be talked to.');
  const { wish } = purpose;
  const id = parsed.data.sessionId ?? (purpose.for === 'load' ? wish.sessionId : undefined);
  if (id === undefined) return refused(state, 'The agent began a session and does not say which.');
  // Some make a new session of an id that they do not know (OpenClaw 2026.9.6): that one would know nothing of what was said.
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
    ...tell(next, described, capabilitiesTold(next), ...doubts, { type: 'agent.ready' }),
    replies: wishes(next, id, wish),
  };
}

/** The protocol has an agent tell a conversation again when it loads it. */
const BLANK = 'The agent told nothing of the earlier conversation when it took it up: it may not know what was said above.';

const OTHER_SESSION = 'The agent does not know this conversation any more and began another one instead. Nothing was sent to it.';

const modesIn = ({ modes }: SessionResult): readonly string[] => (modes?.availableModes ?? []).map(({ id }) => id).slice(0, 20);

function wishes(state: State, sessionId: string, { model, permissionMode, thinking }: Wish): readonly string[] {
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

/** Commands are listed soon after the session is there; it is then described once more, with them. */
export function commandsTold(state: State, { availableCommands }: CommandsUpdate): Step {
  if (state.described === null) return nothing(state);
  const commands = availableCommands.map(({ name, description, input }) => ({
    name,
    ...(description ? { description: description.slice(0, DESCRIPTION_CHARS) } : {}),
    ...(input?.hint ? { argumentHint: input.hint } : {}),
  }));
  return tell({ ...state, described: null }, { ...state.described, commands });
}

/** There is nobody to talk to. Messages are answered with the reason. */
export function refused(state: State, why: string): Step {
  const told: readonly Observation[] = [{ type: 'notice.shown', level: 'error', text: why }, { type: 'agent.ready' }];
  return tell({ ...state, session: { phase: 'refused', why } }, ...told);
}
