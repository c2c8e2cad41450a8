import type { Adapter, Launch, SessionStart } from '../../agents/port/adapter.ts';
import { AnnotationFold } from '../../domain/annotation/fold.ts';
import { openCommentsText } from '../../domain/annotation/open-comments.ts';
import type { RunOpening } from '../../domain/session/advance.ts';
import { BYPASS_REFUSED, isBypass, optionsNow } from '../../domain/session/settings.ts';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { LaunchFailed } from '../../host/host.ts';
import { runnableEnv } from '../../programs/environment.ts';
import { runWithInterpreter } from '../../programs/run-with-interpreter.ts';
import { TOOL_SERVER } from '../../protocol/agent-tools.ts';
import type { RunId } from '../../protocol/ids.ts';
import { PermissionMode, type SessionOptions } from '../../protocol/session.ts';
import { refusedMode, unsupportedReasonFor } from '../admission.ts';
import { recordText } from '../continue/agent-record.ts';
import { mergeRecord } from '../continue/merge-record.ts';
import { NOT_WRITTEN, noteForgotten, noteForgottenIn } from '../continue/note-forgotten.ts';
import { LaunchCancelled, OpenInOtherProgram, sessionWriting, waitForHolder } from '../external/find-holders.ts';
import { needsRunToken } from './agent-tools.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { RunReader } from './run-reader.ts';
import type { SessionActor } from './session-actor.ts';

/** Starts the process of a run. */
export async function startRun(session: SessionActor, run: RunReader, decided: RunOpening): Promise<void> {
  const { host } = session.context.deps;
  if (session.state.base > 0) await checkFolder(session, run);
  if (decided.mode === 'resume') {
    await checkNotOpenElsewhere(session, run, decided.agentSessionId);
    await mergeBeforeLaunch(session, run, decided.agentSessionId);
  }
  const opening = decided.mode === 'resume' ? await resumeOrStartOver(session, run, decided) : decided;
  if (opening.from !== undefined) await checkOriginalExists(session, run, opening.from);
  const launch = await launchOf(session, run, opening);
  const cwd = session.state.born?.cwd ?? '';
  await host.start(run.ref, { ...launch, cwd });
}

async function launchOf(session: SessionActor, run: RunReader, opening: RunOpening): Promise<Launch> {
  const { deps } = session.context;
  const { born } = session.state;
  const located = await deps.locator.find(run.adapter);
  if (!located.available) throw new LaunchFailed(run.ref.run, run.adapter.title, { cause: new Error(located.problem) });
  if (born === null) throw new Error(`Session ${session.state.id} cannot be launched before it is born`);
  // The stored options have only the names of variables; their values are in `env`.
  const { env: _, ...options } = stillAllowed(session, run.adapter, optionsNow(session.state));
  const env = runnableEnv(await agentEnv(session, run.ref.run), located.path);
  // An agent that reports its capabilities checks the mode itself: a mode that it did not offer earlier must not prevent a start.
  const can = capabilitiesOf(session);
  const asked = run.adapter.reportsCapabilities === true ? { ...can, modes: [...PermissionMode.options] } : can;
  const told = withComments(session, options, (more) => unsupportedReasonFor(run.adapter, more, located.version, asked));
  const unsupportedReason = unsupportedReasonFor(run.adapter, options, located.version, asked);
  if (unsupportedReason !== undefined) throw new LaunchFailed(run.ref.run, run.adapter.title, { cause: new Error(unsupportedReason) });
  const { packageRoot } = deps.locator;
  const { interpreter, path: executable } = located;
  const interpreterPath = interpreter === undefined || interpreter.isOnPath ? {} : { interpreter: interpreter.path };
  return runWithInterpreter(
    interpreter,
    executable,
    run.adapter.launch({ executable, ...interpreterPath, packageRoot, cwd: born.cwd, options: told, env, ...openingFor(opening), ...toolsOf(session, run) }),
  );
}

/** The session says so when our tools have another name than usual, because the person's own server has that one. */
function toolsOf(session: SessionActor, { toolServer }: RunReader): { readonly toolServer?: string } {
  if (toolServer === undefined) return {};
  const text = `You have an MCP server of your own called “${TOOL_SERVER}”, so Signalbox’s tools are called “${toolServer}” in this run. Both work.`;
  if (toolServer !== TOOL_SERVER) session.note((draft) => draft.emit({ type: 'notice.shown', level: 'info', text }));
  return { toolServer };
}

/** Open comments become part of the system prompt of this run, if somebody wants that for this session. */
function withComments(session: SessionActor, options: SessionOptions, whyNot: (options: SessionOptions) => string | undefined): SessionOptions {
  const { state, context } = session;
  if (state.meta.giveComments !== true || state.annotations === undefined) return options;
  const fold = new AnnotationFold();
  for (let events = context.deps.journal.after(state.id, 0, PAGE); events.length > 0; events = context.deps.journal.after(state.id, fold.seq, PAGE)) {
    for (const event of events) fold.add(event);
  }
  const text = openCommentsText(state.born?.cwd ?? '/', state.id, fold);
  if (text === undefined) return options;
  const refused = whyNot({ appendSystemPrompt: text });
  if (refused === undefined) return { ...options, appendSystemPrompt: [options.appendSystemPrompt, text].filter((part) => part !== undefined).join('\n\n') };
  session.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text: `The agent was not told about open comments. ${refused}` }));
  return options;
}

const PAGE = 1000;

/** What the operator has forbidden since then applies to old sessions too. */
function stillAllowed(session: SessionActor, adapter: Adapter, options: SessionOptions): SessionOptions {
  const { settings } = session.context.deps;
  const isOwnBypass = !settings.allowBypass && isBypass(capabilitiesOf(session), options.ownMode);
  const refused = isOwnBypass ? BYPASS_REFUSED : refusedMode(session.context.deps, adapter, options.permissionMode);
  if (refused === undefined) return options;
  const { permissionMode: _, ownMode: _own, ...others } = options;
  session.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text: `The agent was started in its default mode. ${refused.message}` }));
  return others;
}

/** Translates for the adapter: a fork copies the conversation `agentSessionId` under the id `forkSessionId`. */
export function openingFor({
  mode,
  agentSessionId,
  from,
  afterMessage,
}: RunOpening): Pick<SessionStart, 'mode' | 'agentSessionId' | 'forkSessionId' | 'afterMessage'> {
  const after = afterMessage === undefined ? {} : { afterMessage };
  return from === undefined ? { mode, agentSessionId, ...after } : { mode, agentSessionId: from, forkSessionId: agentSessionId, ...after };
}

/** A conversation from another program can be in a folder where no session may run. It can still be viewed, starred and annotated. */
async function checkFolder(session: SessionActor, run: RunReader): Promise<void> {
  const cwd = await allowedFolder(session.state.born?.cwd ?? '', session.context.deps.settings);
  if (typeof cwd !== 'string') throw cannotStart(run, cwd.message);
}

/** Two processes must never write to one conversation. */
async function checkNotOpenElsewhere(session: SessionActor, run: RunReader, agentSessionId: string): Promise<void> {
  const other = sessionWriting(session.context, agentSessionId, session);
  if (other !== undefined) throw cannotStart(run, `Session ${other.state.id} is running this conversation. Stop it there first, or fork it.`);
  const isCancelled = () => session.context.closing || session.state.deleted || session.state.run.phase === 'ending';
  const holder = await waitForHolder(session, agentSessionId, isCancelled);
  if (holder === 'off') throw new LaunchCancelled();
  if (holder !== undefined) throw new OpenInOtherProgram(holder);
}

/** What another program did meanwhile comes before what this process will do. */
async function mergeBeforeLaunch(session: SessionActor, run: RunReader, agentSessionId: string): Promise<void> {
  try {
    await mergeRecord(session, agentSessionId, () => session.run === run && session.state.run.phase === 'opened');
  } catch (error) {
    session.context.deps.log.warn(
      { error, session: session.state.id },
      'events of another program could not be merged before the agent was started; they will be merged later',
    );
  }
}

/** A fork needs its original. A handover doesn't: if the agent can't be asked, it uses an extract. */
async function checkOriginalExists(session: SessionActor, run: RunReader, original: string): Promise<void> {
  if (session.adapter.memory === undefined || session.state.origin?.kind === 'handover') return;
  if ((await recordText(session, original)) === undefined) throw cannotStart(run, 'The conversation to fork is gone from the disk. Start a new session.');
}

const cannotStart = (run: RunReader, reason: string): LaunchFailed => new LaunchFailed(run.ref.run, run.adapter.title, { cause: new Error(reason) });

/** An agent killed too early may have no file to resume from, and it has forgotten what its file lacks. The transcript says so. */
async function resumeOrStartOver(session: SessionActor, run: RunReader, decided: RunOpening): Promise<RunOpening> {
  const { memory } = session.adapter;
  if (memory === undefined) return decided;
  const text = await recordText(session, decided.agentSessionId);
  if (text === undefined) return startOver(session, run, decided);
  noteForgottenIn(session, text);
  return decided;
}

/** Only conversations that started here can start over: a fork from its original, our own conversation from nothing. */
function startOver(session: SessionActor, run: RunReader, { agentSessionId }: RunOpening): RunOpening {
  const first = session.context.deps.journal.after(session.state.id, 0, 1)[0];
  const origin = first?.type === 'session.created' ? first.origin : undefined;
  if (origin?.kind === 'resume' && origin.agentSessionId === agentSessionId) {
    throw cannotStart(run, 'The agent’s file for this conversation is gone from the disk, so it can’t be resumed. Start a new session with a summary instead.');
  }
  noteForgotten(session, () => true, NOT_WRITTEN);
  if (origin?.kind !== 'fork') return { mode: 'new', agentSessionId };
  return { mode: 'fork', agentSessionId, from: origin.agentSessionId, ...(origin.afterMessage !== undefined && { afterMessage: origin.afterMessage }) };
}

/** The environment of the agent's process: the server's without our own variables, then the session's, then those of the run. */
async function agentEnv(session: SessionActor, run: RunId): Promise<Readonly<Record<string, string>>> {
  const { deps } = session.context;
  return {
    ...deps.envFor(session.adapter.id),
    ...(await deps.secrets.get(session.state.id)),
    SIGNALBOX_RUN: run,
    ...(session.adapter.internal || !needsRunToken(deps, session.adapter, session.state) ? {} : deps.runAccess?.(run)),
  };
}
