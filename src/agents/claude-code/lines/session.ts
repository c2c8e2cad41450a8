import { createHash } from 'node:crypto';
import type { Observation } from '../../../protocol/observation.ts';
import { emit } from '../../formats/fold.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { State, Step } from './state.ts';
import type { Envelope } from './wire.ts';
import { stamp } from './wire.ts';
import { Init } from './wire-system.ts';

export const SESSION_LINES: Readonly<Record<string, LineKind>> = {
  'system/init': line(
    Init,
    '`turn.began` (the CLI prints it once per turn); `session.started` the first time and whenever something in it changed; `model.changed`, `mode.changed`',
    initialised,
  ),
};

function initialised(state: State, init: Init): Step {
  const fingerprint = fingerprintOf(state, init);
  const session = { id: init.session_id, model: init.model, mode: init.permissionMode, fingerprint };
  const began: Observation[] = state.isTurnRunning ? [] : [{ type: 'turn.began', cause: causeOf(state, init) }];
  // `/clear` continues with a new id and an empty context.
  const contextTokens = state.session?.id === init.session_id ? state.contextTokens : null;
  const next: State = { ...state, session, contextTokens, isTurnRunning: true, nextCause: null };
  if (state.session?.fingerprint !== fingerprint) return emit(next, started(state, init), ...began);
  return emit(next, ...differences(state.session, init), ...began);
}

function differences(before: NonNullable<State['session']>, init: Init): Observation[] {
  const changes: Observation[] = [];
  if (before.model !== init.model) changes.push({ type: 'model.changed', model: init.model, reason: 'the agent switched to another model', ...stamp(init) });
  if (before.mode !== init.permissionMode) changes.push(modeChanged(init.permissionMode, init));
  return changes;
}

export const modeChanged = (mode: string, source: Envelope): Observation => ({
  type: 'mode.changed',
  mode,
  reason: 'the agent changed its permission mode',
  ...stamp(source),
});

/** Newer versions name the inputs of a turn; without any, the agent started the turn itself. */
function causeOf(state: State, init: Init): string {
  if (state.nextCause !== null) return state.nextCause;
  if (init.user_message_uuids?.length) return 'input';
  return init.capabilities?.includes('msg_lifecycle_v1') ? 'agent' : 'input';
}

function started(state: State, init: Init): Observation {
  return {
    type: 'session.started',
    agentSessionId: init.session_id,
    model: init.model,
    permissionMode: init.permissionMode,
    version: init.claude_code_version,
    cwd: init.cwd,
    tools: init.tools,
    commands: commandsOf(state, init),
    mcpServers: serversOf(init),
    models: state.handshake?.models.map(({ alwaysThinks: _, ...model }) => model),
    agentCapabilities: init.capabilities,
    ...stamp(init),
  };
}

/** The handshake describes commands; `init` only names them, and may name some that were added later. */
function commandsOf(state: State, init: Init) {
  const described = new Map(state.handshake?.commands.map((command) => [command.name, command]));
  const named = (init.slash_commands ?? []).map((name) => ({ ...(described.get(name) ?? { name }) }));
  return named.length > 0 ? named : [...described.values()].map((command) => ({ ...command }));
}

const serversOf = (init: Init) => init.mcp_servers.map(({ name, status }) => ({ name, status }));

function fingerprintOf(state: State, init: Init): string {
  const described = [init.session_id, init.cwd, init.claude_code_version, init.tools, commandsOf(state, init), serversOf(init), init.capabilities];
  return createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 16);
}
