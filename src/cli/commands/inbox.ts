import { PermissionList, type WaitingPermission } from '../../protocol/http.ts';
import { openApi } from '../api.ts';
import { type CliCommand, CliProblem, EXIT } from '../command.ts';
import { findRequest } from '../find-request.ts';
import { harmlessLine } from '../paint.ts';
import { requestWords } from '../request-words.ts';

/** Enough lines to know what is asked; the request itself shows all of them. */
const LINES = 3;

export const inboxCommand: CliCommand = {
  name: 'inbox',
  summary: 'Show everything that waits for a person',
  help: `
Usage: signalbox inbox [REQUEST] [--json]

Lists the requests of all sessions, oldest first; with a REQUEST (its beginning
is enough) shows all of that one. Answer with: signalbox answer REQUEST --allow

  --json   one JSON object a line

Examples:
  signalbox inbox
  signalbox inbox r1:req_7
  signalbox inbox --json
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given, [requestId]) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const one = requestId === undefined ? undefined : await findRequest(api, requestId);
    if (requestId !== undefined && one === undefined) throw new CliProblem(`Nothing that waits begins with ${requestId}.`);
    const shown = one === undefined ? (await api.ask(PermissionList, '/api/permissions')).permissions.toSorted(byAge) : [one];
    if (given.json === true) deps.stdout.write(shown.map((each) => `${JSON.stringify(each)}\n`).join(''));
    else if (shown.length === 0) deps.stdout.write('Nothing waits for you.\n');
    else deps.stdout.write(shown.map((each) => entryText(each, one === undefined ? LINES : Number.POSITIVE_INFINITY)).join('\n'));
    return EXIT.ok;
  },
};

const byAge = (a: WaitingPermission, b: WaitingPermission): number => a.at.localeCompare(b.at);

function entryText(request: WaitingPermission, most: number): string {
  const { wants, whole } = requestWords(request);
  const lines = whole.split('\n');
  const rest = lines.length > most ? [`… ${lines.length - most} more: signalbox inbox ${request.requestId}`] : [];
  const by = request.subagent === undefined ? request.agent : `${request.subagent} of ${request.agent}`;
  const head = `${request.requestId}  ${request.at.slice(0, 16).replace('T', ' ')}  ${request.sessionTitle}: ${wants}`;
  const body = [...lines.slice(0, most), ...rest, `(${by}, in ${request.cwd})`];
  return `${harmlessLine(head)}\n${body.map((line) => `    ${harmlessLine(line)}\n`).join('')}`;
}
