import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { thinkingOf } from './settings.ts';
import type { State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import type { Response } from './wire.ts';
import { AgentState, Commands, Models } from './wire.ts';

/** Names that are kept until the session is described; a person with more providers than this types the model's name. */
const KEPT_NAMES = 100;
const DESCRIPTION_CHARS = 80;

/** What can be chosen from: the answers come before the one to the greeting. */
export function listed(state: State, { data }: Response): Step {
  const models = z.safeParse(Models, data);
  if (models.success) return nothing({ ...state, models: models.data.models.slice(0, KEPT_NAMES).map(named) });
  const commands = z.safeParse(Commands, data);
  return commands.success ? nothing({ ...state, commands: commands.data.commands.slice(0, KEPT_NAMES).map(described) }) : nothing(state);
}

const named = (model: z.infer<typeof Models>['models'][number]) => ({
  value: `${model.provider}/${model.id}`,
  ...(model.name === undefined ? {} : { title: model.name.slice(0, DESCRIPTION_CHARS) }),
});

const described = ({ name, description }: z.infer<typeof Commands>['commands'][number]) => ({
  name,
  ...(description ? { description: description.slice(0, DESCRIPTION_CHARS) } : {}),
});

/** Pi prints nothing when it is ready: that it answers is the sign. */
export function greeted(state: State, response: Response, cwd: string): Step {
  const parsed = z.safeParse(AgentState, response.data);
  if (!response.success || !parsed.success) return tell(state, { type: 'notice.shown', level: 'error', text: response.error ?? 'Pi does not say how it is.' });
  const { model, thinkingLevel } = parsed.data;
  const next: State = {
    ...state,
    cwd,
    provider: model?.provider ?? '',
    contextWindow: model?.contextWindow ?? null,
    thinking: thinkingLevel ?? null,
    // They were kept for this moment only.
    models: [],
    commands: [],
  };
  return tell(next, started(state, parsed.data, cwd), ...thinkingTold(thinkingLevel), ...gateNotice(state), { type: 'agent.ready' });
}

function started(state: State, { sessionId, model }: AgentState, cwd: string): Observation {
  return {
    type: 'session.started',
    agentSessionId: sessionId,
    ...(model ? { model: `${model.provider}/${model.id}` } : {}),
    tools: [...(state.gate?.tools ?? [])],
    commands: [...COMMANDS, ...state.commands.map((command) => ({ ...command }))],
    mcpServers: [],
    permissionMode: state.gate?.mode ?? 'bypassPermissions',
    ...(state.gate?.version === undefined ? {} : { version: state.gate.version }),
    cwd,
    models: state.models.map((one) => ({ ...one })),
  };
}

/** Pi has no such command over RPC; we make a request of it. */
const COMMANDS = [{ name: 'compact', description: 'Replace what was said so far by a summary', argumentHint: '[what to keep]' }];

const thinkingTold = (level: string | undefined): readonly Observation[] =>
  level === undefined ? [] : [{ type: 'thinking.changed', thinking: thinkingOf(level), reason: 'the agent started with it' }];

/** Pi itself asks nobody: a session in which our extension is missing or off says so. */
function gateNotice({ gate }: State): readonly Observation[] {
  if (gate === null) return [{ type: 'notice.shown', level: 'warning', text: 'Approvals are off: the extension that asks for them did not start inside Pi.' }];
  return gate.mode === 'bypassPermissions' ? [{ type: 'notice.shown', level: 'warning', text: 'Approvals are off: Pi runs every tool without asking.' }] : [];
}
