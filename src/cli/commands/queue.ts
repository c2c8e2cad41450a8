import { CommandAnswer } from '../../protocol/http.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { Session } from '../../protocol/session.ts';
import { openApi, refuseInsideRun } from '../shared/api.ts';
import { type CliCommand, EXIT, UsageProblem } from '../shared/command.ts';
import { findSession } from '../shared/find-session.ts';
import { printableLine } from '../shared/paint.ts';

const VERBS = ['pause', 'resume', 'clear'] as const;

export const queueCommand: CliCommand = {
  name: 'queue',
  summary: 'Show what is queued for a session; pause, resume or clear it',
  help: `
Usage: signalbox queue SESSION [flags]

  --pause    hold back what is queued
  --resume   continue with what is queued
  --clear    cancel every message that the agent doesn't have yet
  --json     print the queue as one JSON object

Interrupting an agent pauses its queue. Nothing runs by itself until someone resumes it.

Examples:
  signalbox queue 3kZ…
  signalbox queue 3kZ… --resume
`,
  flags: { pause: { type: 'boolean' }, resume: { type: 'boolean' }, clear: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async (deps, given, [sessionId]) => {
    if (sessionId === undefined) throw new UsageProblem('give a session id, such as one from "signalbox ls"');
    const chosen = VERBS.filter((verb) => given[verb] === true);
    if (chosen.length > 1) throw new UsageProblem('use one of --pause, --resume and --clear');
    const [verb] = chosen;
    if (verb !== undefined) refuseInsideRun(deps, `${verb} a queue`);
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const path = `/api/sessions/${encodeURIComponent((await findSession(api, sessionId)).id)}`;
    if (verb !== undefined) await api.ask(CommandAnswer, `${path}/queue/${verb}`, { method: 'POST', body: {} });
    const session = await api.ask(Session, path);
    deps.stdout.write(given.json === true ? `${safeJson({ paused: session.queuePaused === true, queue: session.queue })}\n` : queueText(session));
    return EXIT.ok;
  },
};

function queueText({ id, queue, queuePaused }: Session): string {
  if (queue.length === 0) return 'Nothing is queued.\n';
  const lines = queue.map(({ text, state }, at) => `${at + 1}. ${state === 'accepted' ? '' : '(with the agent) '}${printableLine(text.slice(0, 200))}\n`);
  return `${lines.join('')}${queuePaused ? `Queue paused. Resume it: signalbox queue ${id} --resume\n` : ''}`;
}
