import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExportFormat } from '../../protocol/http.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, textOf, UsageProblem } from '../shared/command.ts';
import { findSession } from '../shared/find-session.ts';

export const exportCommand: CliCommand = {
  name: 'export',
  summary: 'Export a session to a file',
  help: `
Usage: signalbox export <session> [flags]

  --format FORMAT    md (default), html (one file with everything in it), json, or recording
                     (what the agent printed and got, with its events; see "signalbox replay")
  --unscrubbed       leave secrets in a recording; owners only
  -o, --output FILE  write to this file (default: standard output)

Examples:
  signalbox export 3kf9 -o session.md
  signalbox export 3kf9 --format html -o session.html
  signalbox export 3kf9 --format json | jq '.events | length'
`,
  flags: { format: { type: 'string' }, unscrubbed: { type: 'boolean' }, output: { type: 'string', short: 'o' } },
  run: async (deps, given, [id, ...more]) => {
    if (id === undefined || more.length > 0) throw new UsageProblem('name one session; "signalbox ls" lists them');
    const format = ExportFormat.safeParse(textOf(given, 'format') ?? 'md');
    if (!format.success) throw new UsageProblem('--format must be md, html, json or recording');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const session = await findSession(api, id);
    const query = `format=${format.data}${given.unscrubbed === true ? '&unscrubbed=true' : ''}`;
    const document = await api.fetchFile(`/api/sessions/${encodeURIComponent(session.id)}/export?${query}`);
    const output = textOf(given, 'output');
    if (output === undefined) await print(document, deps.stdout);
    else await save(document, resolve(deps.cwd, output));
    return EXIT.ok;
  },
};

async function print(document: ReadableStream<Uint8Array>, stdout: { write(text: string): unknown }): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of document) stdout.write(decoder.decode(bytes, { stream: true }));
  stdout.write(decoder.decode());
}

/** A failed export never leaves half a document under the requested name. */
async function save(document: ReadableStream<Uint8Array>, file: string): Promise<void> {
  const next = `${file}.${process.pid}.part`;
  try {
    await pipeline(document, createWriteStream(next));
    await rename(next, file);
  } catch (cause) {
    await rm(next, { force: true });
    throw new CliProblem(`Couldn't write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
