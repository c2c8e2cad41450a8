import * as z from 'zod/mini';
import { ToolAnswer, ToolList } from '../../protocol/api/tools.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, UsageProblem } from '../shared/command.ts';
import { printableLine } from '../shared/paint.ts';

/** A question waits 45 s for a person before the server says so. */
const CALL_MS = 60_000;

export const toolCommand: CliCommand = {
  name: 'tool',
  summary: 'Use the tools of agents: find, read and start sessions, ask a person',
  help: `
Usage: signalbox tool [NAME] [JSON] [--json]

Without a NAME, lists the tools. Inside an agent's run, the call is made in that agent's
name and with its own token, never with yours.

  --json   print the answer as one JSON object

Exit codes: 0 answered, 3 a person has not answered yet (call again with the askId).

Examples:
  signalbox tool
  signalbox tool find_sessions '{"query":"database"}'
  signalbox tool ask_person '{"question":"Which database?","options":["SQLite","Postgres"]}'
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given, [name, json = '{}', ...more]) => {
    if (more.length > 0) throw new UsageProblem('Write the arguments as one JSON object, in quotes.');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const print = (text: string): void => void deps.stdout.write(`${text}\n`);
    if (name === undefined) {
      const { tools } = await api.ask(ToolList, '/api/tools');
      for (const tool of tools) print(given.json === true ? safeJson(tool) : `${tool.name.padEnd(16)} ${tool.description}`);
      return EXIT.ok;
    }
    const answer = await api.ask(ToolAnswer, `/api/tools/${encodeURIComponent(name)}`, { method: 'POST', body: inputIn(json), limitMs: CALL_MS });
    if (given.json === true) print(safeJson(answer));
    else if (answer.state === 'answered') print(answer.text.split('\n').map(printableLine).join('\n'));
    else print(`Nobody has answered yet. Call again with {"askId":${JSON.stringify(answer.askId)}} added, or continue: the answer then comes as a message.`);
    return answer.state === 'waiting' ? EXIT.needsPerson : EXIT.ok;
  },
};

function inputIn(json: string): unknown {
  try {
    return z.parse(z.record(z.string(), z.unknown()), JSON.parse(json));
  } catch (cause) {
    throw new UsageProblem('The arguments are not a JSON object, such as \'{"query":"database"}\'.', { cause });
  }
}
