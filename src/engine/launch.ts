import type { Adapter, Launch, Opening } from '../agents/adapter.ts';
import type { RunOpening } from '../domain/session/drive.ts';
import { optionsNow } from '../domain/session/settings.ts';
import { LaunchFailed } from '../host/host.ts';
import type { CommandId } from '../protocol/ids.ts';
import type { SessionOptions } from '../protocol/session.ts';
import { objectionTo, refusedMode } from './admission.ts';
import { agentEnv, runnableEnv } from './agent-env.ts';
import { followRun } from './follow.ts';
import { memoryText } from './memory.ts';
import type { RunBox } from './run-box.ts';
import type { SessionBox } from './session-box.ts';

/** Starts the process of a run that was decided, and begins to read it. */
export async function startRun(box: SessionBox, run: RunBox, decided: RunOpening): Promise<void> {
  const { host } = box.world.deps;
  const mode = decided.mode === 'resume' ? await resumeOrBegin(box) : decided.mode;
  const launch = await launchOf(box, run, { ...decided, mode });
  const cwd = box.state.born?.cwd ?? '';
  await host.start(run.ref, { ...launch, cwd });
  followRun(box, run);
}

async function launchOf(box: SessionBox, run: RunBox, opening: RunOpening): Promise<Launch> {
  const { deps } = box.world;
  const { born } = box.state;
  const located = await deps.locator.find(run.adapter);
  if (!located.available) throw new LaunchFailed(run.ref.run, run.adapter.title, { cause: new Error(located.problem) });
  if (born === null) throw new Error(`Session ${box.state.id} cannot be launched before it is born`);
  // The stored options have the names of variables only; their values come with `env`.
  const { env: _, ...options } = stillAllowed(box, run.adapter, optionsNow(box.state));
  const env = runnableEnv(await agentEnv(box, run.ref.run), located.path);
  const objection = objectionTo(run.adapter, options, located.version);
  if (objection !== undefined) throw new LaunchFailed(run.ref.run, run.adapter.title, { cause: new Error(objection) });
  const { packageRoot } = deps.locator;
  return run.adapter.launch({ executable: located.path, packageRoot, cwd: born.cwd, options, env, ...openingFor(opening) });
}

/** What the operator has forbidden since holds for old sessions too. */
function stillAllowed(box: SessionBox, adapter: Adapter, options: SessionOptions): SessionOptions {
  const refused = refusedMode(box.world.deps, adapter, options.permissionMode);
  if (refused === undefined) return options;
  const { permissionMode: _, ...others } = options;
  box.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text: `The agent was started in its default mode. ${refused.message}` }));
  return others;
}

/** In the adapter's words: a fork copies the one id under the other. */
export function openingFor({
  mode,
  agentSessionId,
  from,
  afterMessage,
}: RunOpening): Pick<Opening, 'mode' | 'agentSessionId' | 'forkSessionId' | 'afterMessage'> {
  const after = afterMessage === undefined ? {} : { afterMessage };
  return from === undefined ? { mode, agentSessionId, ...after } : { mode, agentSessionId: from, forkSessionId: agentSessionId, ...after };
}

/** An agent killed too early may have no file to resume from; and what its file lacks, it has forgotten. The transcript says so. */
async function resumeOrBegin(box: SessionBox): Promise<'new' | 'resume'> {
  const text = await memoryText(box);
  if (text === undefined) return box.adapter.memory === undefined ? 'resume' : beginAnew(box);
  const { memory } = box.adapter;
  const lost = box.state.remembered.filter((commandId) => memory?.recall(text, box.adapter.inputId(commandId)) === 'absent');
  noteForgotten(box, lost);
  return 'resume';
}

function beginAnew(box: SessionBox): 'new' {
  noteForgotten(box, box.state.remembered);
  return 'new';
}

function noteForgotten(box: SessionBox, lost: readonly CommandId[]): void {
  if (lost.length === 0) return;
  box.note((draft) => {
    for (const commandId of lost)
      draft.emit({ type: 'context.forgotten', commandId, reason: 'the agent ended before it had written this turn into its own memory' });
  });
}
