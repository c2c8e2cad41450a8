import { KeptState, RestoreAnswer } from '../../protocol/api/archive.ts';
import { type Api, openApi } from '../api.ts';
import { type CliCommand, EXIT, UsageProblem } from '../command.ts';
import { harmlessLine } from '../paint.ts';

export const keptCommand: CliCommand = {
  name: 'kept',
  summary: 'Copies of records that agents would delete: what they cost, on and off, restore',
  help: `
Usage: signalbox kept [on|off|restore <session>]

Records of past sessions are copied into the data folder, compressed, before their CLI
deletes them (some do after 30 days). "restore" puts a record back where its CLI finds
it, and never over a file that is there.

  --json   the answer of the server

Examples:
  signalbox kept
  signalbox kept off
  signalbox kept restore past-3f2a
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given, [word, id, ...more]) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    if (more.length > 0 || (word === 'restore') !== (id !== undefined)) throw new UsageProblem('Say nothing, on, off, or restore and one session');
    const { answer, words } = word === 'restore' ? await restore(api, id ?? '') : await state(api, word);
    deps.stdout.write(given.json === true ? `${JSON.stringify(answer)}\n` : `${words}\n`);
    return EXIT.ok;
  },
};

async function restore(api: Api, id: string) {
  const answer = await api.ask(RestoreAnswer, `/api/sessions/${encodeURIComponent(id)}/restore`, { method: 'POST' });
  return { answer, words: answer.paths.map((path) => `Put back ${harmlessLine(path)}`).join('\n') };
}

async function state(api: Api, word: string | undefined) {
  if (word !== undefined && word !== 'on' && word !== 'off') throw new UsageProblem(`"${word}" is none of on, off and restore`);
  const answer =
    word === undefined ? await api.ask(KeptState, '/api/kept') : await api.ask(KeptState, '/api/kept', { method: 'PUT', body: { on: word === 'on' } });
  return { answer, words: stateWords(answer) };
}

function stateWords({ on, files, bytes, rawBytes, gone, problem }: KeptState): string {
  const lost = gone === 0 ? '' : ` The agents' own file of ${gone} is gone.`;
  const cost = `${files} records in ${megabytes(bytes)} (${megabytes(rawBytes)} before compression).${lost}`;
  return `Copies are ${on ? 'kept' : 'not kept: it is switched off'}. ${cost}${problem === undefined ? '' : `\n${problem}`}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
