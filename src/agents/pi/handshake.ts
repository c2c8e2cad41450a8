import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing } from '../formats/fold.ts';
import { GATE } from './extension-protocol.ts';
import { thinkingOf } from './settings.ts';
import type { State, Step } from './state.ts';
import type { Response } from './wire.ts';
import { AgentState, Commands, Models } from './wire.ts';

/** How many names are listed; a person with more models can type the name. */
const KEPT_NAMES = 100;
const DESCRIPTION_CHARS = 80;

/** Commands and models to choose from. A list that Pi doesn't send is empty. */
export function listed(state: State, { command, data }: Response): Step {
  if (state.greeting === null) return emitNothing(state);
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

/** Pi prints nothing when it is ready; its answer is the sign. */
export function handshakeAnswered(state: State, response: Response, cwd: string): Step {
  const parsed = z.safeParse(AgentState, response.data);
  if (!response.success || !parsed.success)
    return emit(state, { type: 'notice.shown', level: 'error', text: response.error ?? 'Pi did not report its state.' });
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
  return emit(step.state, ...step.observations, ...observeThinking(thinkingLevel), ...gateNotice(state), { type: 'agent.ready' });
}

/** Reports the session once all answers are in. */
function described(state: State): Step {
  const { commands, models, session } = state.greeting ?? {};
  if (commands === undefined || models === undefined || session === undefined) return emitNothing(state);
  return emit(
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

/** Not a command over RPC; we turn it into a request. */
const COMMANDS = [{ name: 'compact', description: 'Replace the conversation so far with a summary', argumentHint: '[what to keep]' }];

const observeThinking = (level: string | undefined): readonly Observation[] =>
  level === undefined ? [] : [{ type: 'thinking.changed', thinking: thinkingOf(level), reason: 'initial level' }];

/** Pi itself never asks, so the session says when our extension is missing or off. */
function gateNotice({ gate }: State): readonly Observation[] {
  if (gate === null) return [{ type: 'notice.shown', level: 'warning', text: 'Approvals are off: the extension that asks for them did not start inside Pi.' }];
  return gate.mode === 'bypassPermissions' ? [{ type: 'notice.shown', level: 'warning', text: 'Approvals are off: Pi runs every tool without asking.' }] : [];
}
