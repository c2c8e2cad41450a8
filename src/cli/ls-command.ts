import { SessionList } from '../protocol/http.ts';
import { openApi } from './api.ts';
import { type CliCommand, EXIT, textOf } from './command.ts';
import { harmlessLine, table } from './paint.ts';

export const lsCommand: CliCommand = {
  name: 'ls',
  summary: 'List sessions, newest use first',
  help: `
Usage: signalbox ls [flags]

  --status STATUS   only these, such as busy or waiting,idle
  --agent ID        only sessions of one agent
  --limit N         at most so many (default 50)
  --json            one JSON object a line

Examples:
  signalbox ls
  signalbox ls --status waiting
  signalbox ls --json | head -1
`,
  flags: { status: { type: 'string' }, agent: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const query = new URLSearchParams({ limit: textOf(given, 'limit') ?? '50' });
    for (const name of ['status', 'agent']) if (textOf(given, name) !== undefined) query.set(name, textOf(given, name) ?? '');
    const { sessions } = await api.ask(SessionList, `/api/sessions?${query}`);
    if (given.json === true) deps.stdout.write(sessions.map((session) => `${JSON.stringify(session)}\n`).join(''));
    else if (sessions.length === 0) deps.stdout.write('No sessions yet. Begin with: signalbox run "…"\n');
    else
      deps.stdout.write(
        table([
          ['ID', 'AGENT', 'STATUS', 'UPDATED', 'TITLE'],
          ...sessions.map((s) => [s.id, s.agent, s.status, s.updatedAt.slice(0, 16).replace('T', ' '), harmlessLine(s.title)]),
        ]),
      );
    return EXIT.ok;
  },
};
