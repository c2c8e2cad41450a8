import type { Event } from '../../../protocol/event.ts';
import { safeJson } from '../../../protocol/odd-characters.ts';
import { type CliCommand, EXIT, textOf } from '../../shared/command.ts';
import { eventsAfter } from '../../shared/event-feed.ts';
import { findSession } from '../../shared/find-session.ts';
import { paintFor } from '../../shared/paint.ts';
import { linkTo } from '../../shared/server-link.ts';
import { createTranscriptPrinter } from '../../shared/transcript-printer.ts';
import { seqIn, until } from '../../shared/until.ts';

export const logsCommand: CliCommand = {
  name: 'logs',
  summary: 'Print what happened in a session; -f follows it',
  help: `
Usage: signalbox logs SESSION [flags]

  -f, --follow   keep printing what happens, also across server restarts, until Ctrl-C
  --after SEQ    only what came after this event
  --json         print every event as one JSON object per line, each with its "seq"

Examples:
  signalbox logs 3kf9
  signalbox logs 3kf9 -f
  signalbox logs 3kf9 --json --after 120 | jq .type
`,
  flags: { follow: { type: 'boolean', short: 'f' }, after: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given, [id]) => {
    const after = seqIn('after', textOf(given, 'after')) ?? 0;
    const link = linkTo(deps, deps.loadConfig({ data: given.data }));
    const session = await findSession(link, id);
    const printer = createTranscriptPrinter((text) => void deps.stdout.write(text), paintFor(deps, deps.stdout), { withMessages: true });
    const print = (event: Event): void => void (given.json === true ? deps.stdout.write(`${safeJson(event)}\n`) : printer.event(event));
    if (given.follow !== true) {
      for await (const event of eventsAfter(link, session.id, after)) print(event);
      return EXIT.ok;
    }
    const end = await until<'gone'>(deps, { link, sessionId: session.id, after }, (done) => ({
      event: print,
      delta: (delta) => given.json !== true && printer.delta(delta),
      gone: () => done('gone'),
    }));
    if (end === 'gone') deps.stderr.write('The session was deleted.\n');
    return end === 'gone' ? EXIT.failed : EXIT.ok;
  },
};
