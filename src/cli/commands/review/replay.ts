import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type CliCommand, CliProblem, EXIT, UsageProblem } from '../../shared/command.ts';

export const replayCommand: CliCommand = {
  name: 'replay',
  summary: 'Replay a recording of a session and print its events',
  help: `
Usage: signalbox replay <file> [flags]

Reads what the agent printed through its adapter again and prints the events, one JSON object
per line. Exit code 1 if an event differs from the recorded one, which is then named. Needs no
server and starts no agent.

  -q, --quiet   print nothing but a difference

Examples:
  signalbox export 3kf9 --format recording -o bug.ndjson
  signalbox replay bug.ndjson | jq .type
`,
  flags: { quiet: { type: 'boolean', short: 'q' } },
  run: async (deps, given, [file, ...more]) => {
    if (file === undefined || more.length > 0) throw new UsageProblem('name one recording; "signalbox export <session> --format recording" makes one');
    const { events, difference } = await deps.replay(deps.loadConfig({ data: given.data }), linesOf(resolve(deps.cwd, file)));
    if (given.quiet !== true) for (const event of events) deps.stdout.write(`${JSON.stringify(event)}\n`);
    if (difference === undefined) {
      deps.stderr.write(`${events.length} events, the same as recorded.\n`);
      return EXIT.ok;
    }
    const { at, recorded, replayed } = difference;
    deps.stderr.write(`Event ${at + 1} differs.\nrecorded: ${JSON.stringify(recorded)}\nreplayed: ${JSON.stringify(replayed)}\n`);
    return EXIT.failed;
  },
};

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (cause) {
    throw new CliProblem(`Couldn't read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
