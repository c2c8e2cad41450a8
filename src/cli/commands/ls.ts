import { SessionList } from '../../protocol/http.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, textOf } from '../shared/command.ts';
import { printableLine, table } from '../shared/paint.ts';

export const lsCommand: CliCommand = {
  name: 'ls',
  summary: 'List sessions, most recently used first',
  help: `
Usage: signalbox ls [flags]

  --status STATUS   only these statuses, such as busy or waiting,idle
  --agent ID        only this agent
  --project NAME    only this project folder
  --tag TAG         only sessions with this tag
  -q, --query TEXT  only sessions with this text in title, folder or last line
  --limit N         maximum number of sessions (default 50)
  --json            print one JSON object per line

Examples:
  signalbox ls
  signalbox ls --status waiting
  signalbox ls --json | head -1
`,
  flags: {
    status: { type: 'string' },
    agent: { type: 'string' },
    project: { type: 'string' },
    tag: { type: 'string' },
    query: { type: 'string', short: 'q' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (deps, given) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const query = new URLSearchParams({ limit: textOf(given, 'limit') ?? '50' });
    for (const name of ['status', 'agent', 'project', 'tag']) if (textOf(given, name) !== undefined) query.set(name, textOf(given, name) ?? '');
    if (textOf(given, 'query') !== undefined) query.set('q', textOf(given, 'query') ?? '');
    const { sessions, nextCursor } = await api.ask(SessionList, `/api/sessions?${query}`);
    if (given.json === true) deps.stdout.write(sessions.map((session) => `${safeJson(session)}\n`).join(''));
    else if (sessions.length === 0) deps.stdout.write('No sessions found. Start one: signalbox run "…"\n');
    else
      deps.stdout.write(
        table([
          ['ID', 'AGENT', 'STATUS', 'UPDATED', 'PROJECT', 'TITLE'],
          ...sessions.map((s) => [
            s.id,
            s.agent,
            s.placeInLine === undefined ? s.status : `line ${s.placeInLine}`,
            s.updatedAt.slice(0, 16).replace('T', ' '),
            printableLine(s.project),
            printableLine(s.title),
          ]),
        ]),
      );
    if (nextCursor !== undefined && given.json !== true) deps.stderr.write(`Showing the newest ${sessions.length}; use --limit N (up to 1000) for more.\n`);
    return EXIT.ok;
  },
};
