import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { GATE } from './gate-words.ts';
import { thinkingOf } from './settings.ts';
import type { State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import type { Response } from './wire.ts';
import { AgentState, Commands, Models } from './wire.ts';

/** Names that are kept until the session is described; a person with more providers than this types the model's name. */
const KEPT_NAMES = 100;
const DESCRIPTION_CHARS = 80;

/** What can be chosen from. A list that Pi does not give is empty. */
export function listed(state: State, { command, data }: Response): Step {
  if (state.greeting === null) return nothing(state);
  if (command === 'get_commands') {
    const parsed = z.safeParse(Commands, data);
    const others = parsed.success ? parsed.data.commands.filter(({ name }) => name !== GATE) : [];
    return described({ ...state, greeting: { ...state.greeting, commands: others.slice(0, KEPT_NAMES).map(short) } });
  }
  const parsed = z.safeParse(Models, data);
  return described({ ...state, greeting: { ...state.greeting, models: parsed.success ? parsed.data.models.slice(0, KEPT_NAMES).map(named) : [] } });
}

const named = (model: z.infer<typeof Models>['models'][number]) => ({
  value: `${model.provider}/${model.id}`,
  ...(model.name === undefined ? {} : { title: model.name.slice(0, DESCRIPTION_CHARS) }),
});

const short = ({ name, description }: z.infer<typeof Commands>['commands'][number]) => ({
  name,
  ...(description ? { description: description.slice(0, DESCRIPTION_CHARS) } : {}),
});

/** Pi prints nothing when it is ready: that it answers is the sign. */
export function greeted(state: State, response: Response, cwd: string): Step {
  const parsed = z.safeParse(AgentState, response.data);
  if (!response.success || !parsed.success) return tell(state, { type: 'notice.shown', level: 'error', text: response.error ?? 'Pi does not say how it is.' });
  const { model, thinkingLevel, sessionId: id } = parsed.data;
  const next: State = {
    ...state,
    cwd,
    provider: model?.provider ?? '',
    contextWindow: model?.contextWindow ?? null,
    thinking: thinkingLevel ?? null,
    greeting: { ...state.greeting, session: { id, ...(model ? { model: `${model.provider}/${model.id}` } : {}) } },
  };
  const step = described(next);
  return tell(step.state, ...step.observations, ...thinkingTold(thinkingLevel), ...gateNotice(state), { type: 'agent.ready' });
}

/** The session is described when all has come that describes it. */
function described(state: State): Step {
  const { commands, models, session } = state.greeting ?? {};
  if (commands === undefined || models === undefined || session === undefined) return nothing(state);
  return tell(
    { ...state, greeting: null },
    {
      type: 'session.started',
      agentSessionId: session.id,
      ...(session.model === undefined ? {} : { model: session.model }),
      tools: [...(state.gate?.tools ?? [])],
      commands: [...COMMANDS, ...commands],
      mcpServers: [],
      permissionMode: state.gate?.mode ?? 'bypassPermissions',
      ...(state.gate?.version === undefined ? {} : { version: state.gate.version }),
      cwd: state.cwd,
      models: [...models],
    },
  );
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
