import { PermissionList, type WaitingPermission } from '../../protocol/http.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT } from '../shared/command.ts';
import { findRequest } from '../shared/find-request.ts';
import { printableLine } from '../shared/paint.ts';
import { requestText } from '../shared/request-text.ts';

/** Enough lines to recognize a request; `inbox REQUEST` shows all of them. */
const LINES = 3;

export const inboxCommand: CliCommand = {
  name: 'inbox',
  summary: 'List requests that need your answer',
  help: `
Usage: signalbox inbox [REQUEST] [--json]

Lists open requests of all sessions, oldest first. With a REQUEST (a unique prefix is
enough), shows that one in full. Answer with: signalbox answer REQUEST --allow

  --json   print one JSON object per line

Examples:
  signalbox inbox
  signalbox inbox r1:req_7
  signalbox inbox --json
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given, [requestId]) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const one = requestId === undefined ? undefined : await findRequest(api, requestId);
    if (requestId !== undefined && one === undefined) throw new CliProblem(`No open request starts with "${requestId}". Run "signalbox inbox" to see them.`);
    const shown = one === undefined ? (await api.ask(PermissionList, '/api/permissions')).permissions.toSorted(byAge) : [one];
    if (given.json === true) deps.stdout.write(shown.map((each) => `${safeJson(each)}\n`).join(''));
    else if (shown.length === 0) deps.stdout.write('Nothing needs you.\n');
    else deps.stdout.write(shown.map((each) => entryText(each, one === undefined ? LINES : Number.POSITIVE_INFINITY)).join('\n'));
    return EXIT.ok;
  },
};

const byAge = (a: WaitingPermission, b: WaitingPermission): number => a.at.localeCompare(b.at);

function entryText(request: WaitingPermission, most: number): string {
  const { wants, details } = requestText(request);
  const lines = details.split('\n');
  const rest = lines.length > most ? [`… ${lines.length - most} more: signalbox inbox ${request.requestId}`] : [];
  const by = request.subagent === undefined ? request.agent : `${request.subagent} of ${request.agent}`;
  const head = `${request.requestId}  ${request.at.slice(0, 16).replace('T', ' ')}  ${request.sessionTitle}: ${wants}`;
  const body = [...lines.slice(0, most), ...rest, `(${by}, in ${request.cwd})`];
  return `${printableLine(head)}\n${body.map((line) => `    ${printableLine(line)}\n`).join('')}`;
}
