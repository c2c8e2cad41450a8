import { KeptState, RestoreAnswer } from '../../protocol/api/archive.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { type Api, openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, UsageProblem } from '../shared/command.ts';
import { printableLine } from '../shared/paint.ts';

export const keptCommand: CliCommand = {
  name: 'kept',
  summary: 'Manage copies of transcripts that agents would delete: status, on, off, restore',
  help: `
Usage: signalbox kept [on|off|restore <session>]

Transcripts of past sessions are copied, compressed, into the data folder before their CLI
deletes them (some do after 30 days). "restore" puts a transcript back where its CLI looks
for it and never overwrites a file.

  --json   print the server's response

Examples:
  signalbox kept
  signalbox kept off
  signalbox kept restore past-3f2a
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given, [verb, id, ...more]) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    if (more.length > 0 || (verb === 'restore') !== (id !== undefined)) throw new UsageProblem('use on, off, "restore <session>", or nothing for the status');
    const { answer, text } = verb === 'restore' ? await restore(api, id ?? '') : await state(api, verb);
    deps.stdout.write(given.json === true ? `${safeJson(answer)}\n` : `${text}\n`);
    return EXIT.ok;
  },
};

async function restore(api: Api, id: string) {
  const answer = await api.ask(RestoreAnswer, `/api/sessions/${encodeURIComponent(id)}/restore`, { method: 'POST' });
  return { answer, text: answer.paths.map((path) => `Restored ${printableLine(path)}`).join('\n') };
}

async function state(api: Api, verb: string | undefined) {
  if (verb !== undefined && verb !== 'on' && verb !== 'off') throw new UsageProblem(`use on, off or restore, not "${verb}"`);
  const answer =
    verb === undefined ? await api.ask(KeptState, '/api/kept') : await api.ask(KeptState, '/api/kept', { method: 'PUT', body: { on: verb === 'on' } });
  return { answer, text: stateText(answer) };
}

function stateText({ on, files, bytes, rawBytes, gone, problem }: KeptState): string {
  const deleted = gone === 0 ? '' : ` For ${gone}, the agent has deleted its own file.`;
  const cost = `${files} ${files === 1 ? 'transcript' : 'transcripts'}, ${megabytes(bytes)} (${megabytes(rawBytes)} uncompressed).${deleted}`;
  return `Copying is ${on ? 'on' : 'off'}. ${cost}${problem === undefined ? '' : `\n${problem}`}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
