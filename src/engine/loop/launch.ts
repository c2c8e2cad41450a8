import type { Adapter, Launch, Opening } from '../../agents/adapter.ts';
import type { RunOpening } from '../../domain/session/drive.ts';
import { optionsNow } from '../../domain/session/settings.ts';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { LaunchFailed } from '../../host/host.ts';
import { agentEnv, runnableEnv } from '../../programs/environment.ts';
import { runBy } from '../../programs/run-with-interpreter.ts';
import { PermissionMode, type SessionOptions } from '../../protocol/session.ts';
import { objectionTo, refusedMode } from '../admission.ts';
import { capabilitiesOf } from '../capabilities.ts';
import { memoryText } from '../continue/agent-record.ts';
import { NOT_WRITTEN, noteForgotten, noteForgottenIn } from '../continue/forgotten-events.ts';
import { mergeRecord } from '../continue/merge-record.ts';
import { CalledOff, HeldElsewhere, holderWhenKnown, ourHolder } from '../external/external-drivers.ts';
import type { RunBox } from './run-reader.ts';
import type { SessionBox } from './session-actor.ts';

/** Starts the process of a run that was decided. */
export async function startRun(box: SessionBox, run: RunBox, decided: RunOpening): Promise<void> {
  const { host } = box.world.deps;
  if (box.state.base > 0) await mayRunThere(box, run);
  if (decided.mode === 'resume') {
    await mayWrite(box, run, decided.agentSessionId);
    await mergeBefore(box, run, decided.agentSessionId);
  }
  const opening = decided.mode === 'resume' ? await resumeOrBegin(box, run, decided) : decided;
  if (opening.from !== undefined) await mustBeThere(box, run, opening.from);
  const launch = await launchOf(box, run, opening);
  const cwd = box.state.born?.cwd ?? '';
  await host.start(run.ref, { ...launch, cwd });
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
  // One that tells what it can do answers the wish itself: what it once did not offer must not keep it from being started.
  const can = capabilitiesOf(box);
  const asked = run.adapter.tellsCapabilities === true ? { ...can, modes: [...PermissionMode.options] } : can;
  const objection = objectionTo(run.adapter, options, located.version, asked);
  if (objection !== undefined) throw new LaunchFailed(run.ref.run, run.adapter.title, { cause: new Error(objection) });
  const { packageRoot } = deps.locator;
  const { interpreter, path: executable } = located;
  const passedOn = interpreter === undefined || interpreter.isOnPath ? {} : { interpreter: interpreter.path };
  return runBy(interpreter, executable, run.adapter.launch({ executable, ...passedOn, packageRoot, cwd: born.cwd, options, env, ...openingFor(opening) }));
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

/** What was had in another program may lie where no session may run; it may be looked at, starred and noted on all the same. */
async function mayRunThere(box: SessionBox, run: RunBox): Promise<void> {
  const cwd = await allowedFolder(box.state.born?.cwd ?? '', box.world.deps.settings);
  if (typeof cwd !== 'string') throw cannotStart(run, cwd.message);
}

/** Two processes must never write one conversation. */
async function mayWrite(box: SessionBox, run: RunBox, agentSessionId: string): Promise<void> {
  const other = ourHolder(box.world, agentSessionId, box);
  if (other !== undefined) throw cannotStart(run, `Session ${other.state.id} goes on with this conversation now. Stop it there first, or fork it.`);
  const isOff = () => box.world.closing || box.state.deleted || box.state.run.phase === 'ending';
  const holder = await holderWhenKnown(box, agentSessionId, isOff);
  if (holder === 'off') throw new CalledOff();
  if (holder !== undefined) throw new HeldElsewhere(holder);
}

/** What another program did meanwhile stands before what this process will do. */
async function mergeBefore(box: SessionBox, run: RunBox, agentSessionId: string): Promise<void> {
  try {
    await mergeRecord(box, agentSessionId, () => box.run === run && box.state.run.phase === 'opened');
  } catch (error) {
    box.world.deps.log.warn({ error, session: box.state.id }, 'what another program did could not be taken in before the agent was started; it will be');
  }
}

/** A copy needs its original. A handover can do without: when its agent cannot be asked, it takes an extract. */
async function mustBeThere(box: SessionBox, run: RunBox, original: string): Promise<void> {
  if (box.adapter.memory === undefined || box.state.origin?.kind === 'handover') return;
  if ((await memoryText(box, original)) === undefined) throw cannotStart(run, 'The conversation that was to be copied is gone from the disk.');
}

const cannotStart = (run: RunBox, words: string): LaunchFailed => new LaunchFailed(run.ref.run, run.adapter.title, { cause: new Error(words) });

/** An agent killed too early may have no file to resume from; and what its file lacks, it has forgotten. The transcript says so. */
async function resumeOrBegin(box: SessionBox, run: RunBox, decided: RunOpening): Promise<RunOpening> {
  const { memory } = box.adapter;
  if (memory === undefined) return decided;
  const text = await memoryText(box, decided.agentSessionId);
  if (text === undefined) return beginAgain(box, run, decided);
  noteForgottenIn(box, text);
  return decided;
}

/** Only what began here may begin once more: a copy from its original, a conversation of our own from nothing. */
function beginAgain(box: SessionBox, run: RunBox, { agentSessionId }: RunOpening): RunOpening {
  const first = box.world.deps.journal.after(box.state.id, 0, 1)[0];
  const origin = first?.type === 'session.created' ? first.origin : undefined;
  if (origin?.kind === 'resume' && origin.agentSessionId === agentSessionId) {
    throw cannotStart(
      run,
      'The record of this conversation is gone from the disk, so the agent cannot go on with it. A handover begins a fresh session with a summary of it.',
    );
  }
  noteForgotten(box, () => true, NOT_WRITTEN);
  if (origin?.kind !== 'fork') return { mode: 'new', agentSessionId };
  return { mode: 'fork', agentSessionId, from: origin.agentSessionId, ...(origin.afterMessage !== undefined && { afterMessage: origin.afterMessage }) };
}
