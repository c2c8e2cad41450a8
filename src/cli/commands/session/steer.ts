import { randomUUID } from 'node:crypto';
import { CommandAnswer } from '../../../protocol/http.ts';
import { safeJson } from '../../../protocol/odd-characters.ts';
import { Session } from '../../../protocol/session.ts';
import { type CliCommand, EXIT, textOf } from '../../shared/command.ts';
import { findSession } from '../../shared/find-session.ts';
import { addressOf, linkTo } from '../../shared/server-link.ts';
import { seqIn } from '../../shared/until.ts';

/** A verb that is one request about one session. */
function steering(name: 'interrupt' | 'stop', summary: string, help: string, done: string): CliCommand {
  return {
    name,
    summary,
    help: `
Usage: signalbox ${name} SESSION [--json]

${help}

  --json   print one JSON object

Examples:
  signalbox ${name} 3kf9
`,
    flags: { json: { type: 'boolean' } },
    run: async (deps, given, [id]) => {
      const link = linkTo(deps, deps.loadConfig({ data: given.data }));
      const session = await findSession(link, id);
      const answer = await link.ask(CommandAnswer, `${addressOf(session.id)}/${name}`, { commandId: randomUUID() });
      deps.stdout.write(given.json === true ? `${safeJson({ sessionId: session.id, ...answer })}\n` : `${done} ${session.id}\n`);
      return EXIT.ok;
    },
  };
}

export const interruptCommand = steering(
  'interrupt',
  'Interrupt the running turn of a session',
  'The session stays; if messages are queued, its queue is paused until someone resumes it.',
  'Interrupted',
);

export const stopCommand = steering(
  'stop',
  'Stop the agent of a session; its next message starts it again',
  'Ends the agent’s process. Nothing is lost: the conversation continues with the next message.',
  'Stopped',
);

export const forkCommand: CliCommand = {
  name: 'fork',
  summary: 'Continue a session in a copy, and keep the original',
  help: `
Usage: signalbox fork SESSION ["MESSAGE"] [flags]

Prints the id of the new session.

  --at SEQ       copy only up to this event
  --title TEXT   title of the copy
  --json         print the new session as one JSON object

Examples:
  signalbox fork 3kf9
  signalbox fork 3kf9 "try it without the cache" --title "No cache"
`,
  flags: { at: { type: 'string' }, title: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given, [id, ...words]) => {
    const at = seqIn('at', textOf(given, 'at'));
    const title = textOf(given, 'title');
    const link = linkTo(deps, deps.loadConfig({ data: given.data }));
    const session = await findSession(link, id);
    const copy = await link.ask(Session, `${addressOf(session.id)}/fork`, {
      commandId: randomUUID(),
      ...(at !== undefined && { at }),
      ...(title !== undefined && { title }),
      ...(words.length > 0 && { prompt: words.join(' ') }),
    });
    deps.stdout.write(`${given.json === true ? safeJson(copy) : copy.id}\n`);
    return EXIT.ok;
  },
};
