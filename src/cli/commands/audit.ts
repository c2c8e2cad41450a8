import type { AuditEntry } from '../../protocol/api/audit.ts';
import { AuditList } from '../../protocol/api/audit.ts';
import { openApi } from '../api.ts';
import { type CliCommand, EXIT, textOf } from '../command.ts';
import { harmlessLine, table } from '../paint.ts';

const FILTERS = ['session', 'actor', 'action', 'request', 'after', 'before', 'limit'] as const;

export const auditCommand: CliCommand = {
  name: 'audit',
  summary: 'Show who decided what, and from where',
  help: `
Usage: signalbox audit [flags]

Newest first. An owner sees everything; others what they decided themselves, and
what was decided in sessions that are open to them.

  --session ID      only what was decided in one session
  --actor NAME      only what one person, rule or plan decided
  --action TYPE     only one kind, such as permission.resolved
  --request ID      only what became of one request
  --after TIME      from this time on, such as 2026-03-01
  --before TIME     before this time
  --grep TEXT       only lines with this text
  --limit N         at most so many (default 50)
  --json            one JSON object a line

Examples:
  signalbox audit --actor anna
  signalbox audit --action permission.resolved --json
`,
  flags: {
    ...Object.fromEntries(FILTERS.map((name) => [name, { type: 'string' } as const])),
    grep: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (deps, given) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const query = new URLSearchParams({ limit: '50' });
    for (const name of FILTERS) if (textOf(given, name) !== undefined) query.set(name, textOf(given, name) ?? '');
    const words = textOf(given, 'grep');
    if (words !== undefined) query.set('q', words);
    const { entries, incomplete } = await api.ask(AuditList, `/api/audit?${query}`);
    if (given.json === true) deps.stdout.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    else if (entries.length === 0) deps.stdout.write('Nothing was decided that fits.\n');
    else deps.stdout.write(table([['AT', 'WHO', 'FROM', 'SESSION', 'WHAT'], ...entries.map(rowOf)]));
    if (incomplete === true) deps.stderr.write('The audit of earlier events is still being made; lines may be missing yet.\n');
    return EXIT.ok;
  },
};

const rowOf = ({ at, actor, sessionId, words }: AuditEntry): string[] => [
  at.slice(0, 19).replace('T', ' '),
  harmlessLine(actor.kind === 'person' ? actor.name : `${actor.kind} ${actor.name}`),
  harmlessLine(actor.from ?? ''),
  sessionId ?? '',
  harmlessLine(words),
];
