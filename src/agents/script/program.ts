import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { jsonLine, jsonObject } from '../formats/json-object.ts';
import { type RunningCommand, runCommand } from './run-command.ts';
import { type ScriptLine, ScriptRequest } from './wire.ts';

// The script agent: reads one command, runs it once, prints what it prints, and exits.
const VERSION = '1';
const { values } = parseArgs({ options: { version: { type: 'boolean' }, over: { type: 'boolean' } } });

if (values.version) process.stdout.write(`${VERSION}\n`);
else if (!values.over) serve();

function serve(): void {
  let argv: readonly string[] = [];
  let running: RunningCommand | undefined;
  const input = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  input.on('line', (raw) => {
    const request = ScriptRequest.safeParse(jsonObject(raw)).data;
    if (request?.type === 'command') argv = request.argv;
    if (request?.type === 'run') running ??= runCommand(request.id, argv, print, () => process.exit(0));
    if (request?.type !== 'interrupt') return;
    print({ type: 'reply', to: request.request });
    running?.stop();
  });
  // Without a command there is nothing to wait for; with one, its end is the end.
  input.on('close', () => running ?? process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (running === undefined ? process.exit(0) : running.stop()));
}

/** Written at once and completely: a file never blocks, and whatever is printed survives a kill of this program. */
function print(line: ScriptLine): void {
  const bytes = Buffer.from(`${jsonLine(line)}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
