import { safeJson } from '../../../protocol/odd-characters.ts';
import { Session } from '../../../protocol/session.ts';
import { attachTerminal } from '../../shared/attach-terminal.ts';
import { type CliCommand, EXIT, textOf } from '../../shared/command.ts';
import type { CliDeps } from '../../shared/deps.ts';
import { findSession } from '../../shared/find-session.ts';
import { paintFor } from '../../shared/paint.ts';
import { addressOf, linkTo, type ServerLink } from '../../shared/server-link.ts';
import { createTranscriptPrinter } from '../../shared/transcript-printer.ts';
import { seqIn, until } from '../../shared/until.ts';

/** How much of the past is shown first. */
const LAST_EVENTS = 50;

export const attachCommand: CliCommand = {
  name: 'attach',
  summary: 'Follow a session in this terminal, type to its agent, answer its requests',
  help: `
Usage: signalbox attach SESSION [flags]

What you type is queued for the agent. While a request is open: y allows it, n denies it,
a allows it always in this session, e opens it in $VISUAL or $EDITOR first; each with Enter.
The number of a choice answers a question.

  :now TEXT   send TEXT into the running turn
  :help       these keys
  Ctrl-C      interrupt the turn; a second Ctrl-C detaches
  Ctrl-D      detach; the agent keeps working

  --after SEQ   start after this event (default: the last ${LAST_EVENTS} events)
  --json        print every event as one JSON object per line, and read nothing

Without a terminal, it prints plain text and reads nothing.

Examples:
  signalbox attach 3kf9
  signalbox attach 3kf9 --json --after 0 | jq .type
`,
  flags: { after: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given, [id]) => {
    const from = seqIn('after', textOf(given, 'after'));
    const link = linkTo(deps, deps.loadConfig({ data: given.data }));
    const found = await findSession(link, id);
    const session = await link.ask(Session, addressOf(found.id));
    const after = from ?? Math.max(0, session.lastSeq - LAST_EVENTS);
    if (given.json !== true && deps.terminal !== undefined) return attachTerminal({ deps, terminal: deps.terminal, link, session, after });
    return follow(deps, link, session.id, after, given.json === true);
  },
};

async function follow(deps: CliDeps, link: ServerLink, sessionId: string, after: number, asJson: boolean): Promise<number> {
  const printer = createTranscriptPrinter((text) => void deps.stdout.write(text), paintFor(deps, deps.stdout), { withMessages: true });
  const end = await until<'gone'>(deps, { link, sessionId, after }, (done) => ({
    event: (event) => void (asJson ? deps.stdout.write(`${safeJson(event)}\n`) : printer.event(event)),
    delta: (delta) => asJson || printer.delta(delta),
    gone: () => done('gone'),
  }));
  if (end === 'gone') deps.stderr.write('The session was deleted.\n');
  return end === 'gone' ? EXIT.failed : EXIT.ok;
}
