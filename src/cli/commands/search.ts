import { type Hit, HitList } from '../../protocol/api/search.ts';
import { openApi } from '../api.ts';
import { type CliCommand, EXIT, textOf, UsageProblem } from '../command.ts';
import { harmlessLine, type Paint, paintFor } from '../paint.ts';

const FILTERS = ['agent', 'project', 'kind', 'tool', 'path', 'before', 'after', 'session', 'limit'] as const;

export const searchCommand: CliCommand = {
  name: 'search',
  summary: 'Find words in everything that any agent ever did',
  help: `
Usage: signalbox search <words> [flags]

Words, "phrases in quotes", beginnings* and pieces of code such as foo_bar( are found in
prompts, answers, thinking, tool calls and their output, paths and changes of all sessions.

  --agent ID        only sessions of one agent
  --project NAME    only sessions of one folder
  --kind KIND       prompt, answer, thinking, tool, output, diff, note or title
  --tool NAME       only calls of one tool, and what came of them
  --path PATH       only what touched this file; without words, the sessions that did
  --after DATE      from this day or time on
  --before DATE     before it
  --session ID      only in one session
  --limit N         at most so many (default 20)
  --json            one JSON object a line

Examples:
  signalbox search '"connection reset" is:error'
  signalbox search 'parse_config(' --project api
  signalbox search --path src/main.ts
`,
  flags: { ...Object.fromEntries(FILTERS.map((name) => [name, { type: 'string' } as const])), json: { type: 'boolean' } },
  run: async (deps, given, words) => {
    if (words.length === 0 && textOf(given, 'path') === undefined) throw new UsageProblem('Say what to find, or a file with --path');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const query = new URLSearchParams({ limit: '20', ...(words.length > 0 && { q: words.join(' ') }) });
    for (const name of FILTERS) if (textOf(given, name) !== undefined) query.set(name, textOf(given, name) ?? '');
    const { hits, total, more, whole } = await api.ask(HitList, `/api/search?${query}`);
    const paint = paintFor(deps, deps.stdout);
    if (given.json === true) deps.stdout.write(hits.map((hit) => `${JSON.stringify(hit)}\n`).join(''));
    else if (hits.length === 0) deps.stdout.write('Nothing was found.\n');
    else deps.stdout.write(`${hits.map((hit) => hitText(hit, api.url, paint)).join('\n')}\n`);
    if (given.json !== true && total > hits.length) deps.stderr.write(`${hits.length} of ${more ? 'at least ' : ''}${total}\n`);
    if (!whole) deps.stderr.write('Records are still being read: there may be more. "signalbox index" tells how far it is.\n');
    return EXIT.ok;
  },
};

function hitText(hit: Hit, url: string, paint: Paint): string {
  const where = [hit.at.slice(0, 16).replace('T', ' '), hit.agent, hit.project, hit.kind, hit.tool, hit.path].filter(
    (part) => part !== undefined && part !== '',
  );
  return `${paint.bold(harmlessLine(hit.sessionTitle))}\n  ${paint.dim(harmlessLine(where.join(' · ')))}\n  ${marked(hit, paint)}\n  ${paint.dim(`${url}/s/${hit.sessionId}#e${hit.seq}`)}\n`;
}

/** The words that were sought stand out. */
function marked({ snippet, marks }: Hit, paint: Paint): string {
  let at = 0;
  let text = '';
  for (const [from, to] of marks) {
    text += harmlessLine(snippet.slice(at, from)) + paint.yellow(harmlessLine(snippet.slice(from, to)));
    at = to;
  }
  return text + harmlessLine(snippet.slice(at));
}
