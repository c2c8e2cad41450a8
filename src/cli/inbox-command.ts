import { PermissionList } from '../protocol/http.ts';
import { openApi } from './api.ts';
import { type CliCommand, EXIT } from './command.ts';
import { harmless, table } from './paint.ts';

/** Enough of a tool's input to know what is asked; the cockpit shows all of it. */
const INPUT_CHARS = 80;

export const inboxCommand: CliCommand = {
  name: 'inbox',
  summary: 'Show everything that waits for a person',
  help: `
Usage: signalbox inbox [--json]

Lists requests of all sessions. Answer one with: signalbox answer REQUEST allow

Examples:
  signalbox inbox
  signalbox inbox --json
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const { permissions } = await api.ask(PermissionList, '/api/permissions');
    if (given.json === true) deps.stdout.write(permissions.map((each) => `${JSON.stringify(each)}\n`).join(''));
    else if (permissions.length === 0) deps.stdout.write('Nothing waits for you.\n');
    else
      deps.stdout.write(
        table([['REQUEST', 'SESSION', 'TOOL', 'WHAT'], ...permissions.map((p) => [p.requestId, p.sessionId, p.tool, whatOf(p.title, p.input)])]),
      );
    return EXIT.ok;
  },
};

const whatOf = (title: string | undefined, input: Readonly<Record<string, unknown>>): string =>
  harmless((title ?? JSON.stringify(input)).slice(0, INPUT_CHARS));
