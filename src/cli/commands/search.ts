import { type Hit, HitList } from '../../protocol/api/search.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, textOf, UsageProblem } from '../shared/command.ts';
import { type Paint, paintFor, printableLine } from '../shared/paint.ts';

const FILTERS = ['agent', 'project', 'kind', 'tool', 'path', 'before', 'after', 'session', 'limit'] as const;

export const searchCommand: CliCommand = {
  name: 'search',
  summary: 'Search everything that any agent ever did',
  help: `
Usage: signalbox search <words> [flags]

Searches the prompts, answers, thinking, tool calls and their output, paths and changes of all
sessions for words, "exact phrases", prefixes* and code such as foo_bar(.

  --agent ID        only this agent
  --project NAME    only this project folder
  --kind KIND       prompt, answer, thinking, tool, output, diff, note or title
  --tool NAME       only calls of this tool and their output
  --path PATH       only what touched this file; without words, lists the sessions that did
  --after DATE      on or after this date or time
  --before DATE     before this date or time
  --session ID      only this session
  --limit N         maximum number of results (default 20)
  --json            print one JSON object per line

Examples:
  signalbox search '"connection reset" is:error'
  signalbox search 'parse_config(' --project api
  signalbox search --path src/main.ts
`,
  flags: { ...Object.fromEntries(FILTERS.map((name) => [name, { type: 'string' } as const])), json: { type: 'boolean' } },
  run: async (deps, given, words) => {
    if (words.length === 0 && textOf(given, 'path') === undefined) throw new UsageProblem('give words to search for, or a file with --path');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const query = new URLSearchParams({ limit: '20', ...(words.length > 0 && { q: words.join(' ') }) });
    for (const name of FILTERS) if (textOf(given, name) !== undefined) query.set(name, textOf(given, name) ?? '');
    const { hits, total, more, whole } = await api.ask(HitList, `/api/search?${query}`);
    const paint = paintFor(deps, deps.stdout);
    if (given.json === true) deps.stdout.write(hits.map((hit) => `${safeJson(hit)}\n`).join(''));
    else if (hits.length === 0) deps.stdout.write('No matches.\n');
    else deps.stdout.write(`${hits.map((hit) => hitText(hit, api.url, paint)).join('\n')}\n`);
    if (given.json !== true && total > hits.length)
      deps.stderr.write(`Showing ${hits.length} of ${more ? 'at least ' : ''}${total}. Use --limit N for more.\n`);
    if (!whole) deps.stderr.write('Past sessions are still being indexed, so there may be more. "signalbox index" shows the progress.\n');
    return EXIT.ok;
  },
};

function hitText(hit: Hit, url: string, paint: Paint): string {
  const where = [hit.at.slice(0, 16).replace('T', ' '), hit.agent, hit.project, hit.kind, hit.tool, hit.path].filter(
    (part) => part !== undefined && part !== '',
  );
  return `${paint.bold(printableLine(hit.sessionTitle))}\n  ${paint.dim(printableLine(where.join(' · ')))}\n  ${marked(hit, paint)}\n  ${paint.dim(`${url}/s/${hit.sessionId}#e${hit.seq}`)}\n`;
}

/** Highlights the matches. */
function marked({ snippet, marks }: Hit, paint: Paint): string {
  let at = 0;
  let text = '';
  for (const [from, to] of marks) {
    text += printableLine(snippet.slice(at, from)) + paint.yellow(printableLine(snippet.slice(from, to)));
    at = to;
  }
  return text + printableLine(snippet.slice(at));
}
