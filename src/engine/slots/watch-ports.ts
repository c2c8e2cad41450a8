import { runScripts } from '../../domain/script/scripts.ts';
import type { RunRef } from '../../host/host.ts';
import type { SessionPort } from '../../protocol/session.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** A dev server that starts or ends is seen this soon. */
const LOOK_EVERY_MS = 2_000;

/** Looks for ports that processes of sessions listen on, but only of sessions that somebody has open. Returns a function that stops it. */
export function watchPorts(context: EngineContext): () => void {
  let isLooking = false;
  const { problems, settings } = context.deps;
  const timer = problems.every('look for ports of sessions', settings.portsEveryMs ?? LOOK_EVERY_MS, async () => {
    if (isLooking || context.closing) return;
    isLooking = true;
    try {
      await look(context);
    } finally {
      isLooking = false;
    }
  });
  timer.unref();
  return () => clearInterval(timer);
}

async function look({ sessions, subscribers, deps }: EngineContext): Promise<void> {
  const all = [...sessions.values()];
  const open = all.filter(({ state }) => subscribers.has(state.id)).map((session) => ({ session, refs: runsOf(session) }));
  const found = await deps.host.ports(open.flatMap(({ refs }) => refs));
  for (const { session, refs } of open)
    note(
      session,
      refs.flatMap(({ run }) => found.get(run) ?? []),
    );
  // Nobody looks there anymore: what was seen last may have ended.
  for (const session of all) if (session.ports.length > 0 && !subscribers.has(session.state.id)) note(session, []);
}

/** Its agent's process, and its run scripts, which are sessions of their own. */
function runsOf({ run, state, context }: SessionActor): readonly RunRef[] {
  const scripts = runScripts(state).flatMap(({ sessionId }) => context.sessions.get(sessionId)?.run ?? []);
  return [...(run === undefined ? [] : [run]), ...scripts].map(({ ref }) => ref);
}

function note(session: SessionActor, ports: readonly SessionPort[]): void {
  if (JSON.stringify(ports) === JSON.stringify(session.ports)) return;
  session.ports = ports;
  session.publishSummary();
}
