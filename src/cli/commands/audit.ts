import type { AuditEntry } from '../../protocol/api/audit.ts';
import { AuditList } from '../../protocol/api/audit.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, textOf } from '../shared/command.ts';
import { printableLine, table } from '../shared/paint.ts';

const FILTERS = ['session', 'actor', 'action', 'request', 'after', 'before', 'limit'] as const;

export const auditCommand: CliCommand = {
  name: 'audit',
  summary: 'Show who did what, when and from where',
  help: `
Usage: signalbox audit [flags]

Newest first. Owners see everything; others see their own entries and those of
sessions they have access to.

  --session ID      only this session
  --actor NAME      only this person, rule or plan
  --action TYPE     only this type, such as permission.resolved
  --request ID      only this request
  --after TIME      at or after this time, such as 2026-03-01
  --before TIME     before this time
  --grep TEXT       only entries that contain this text
  --limit N         maximum number of entries (default 50)
  --json            print one JSON object per line

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
    const grep = textOf(given, 'grep');
    if (grep !== undefined) query.set('q', grep);
    const { entries, incomplete } = await api.ask(AuditList, `/api/audit?${query}`);
    if (given.json === true) deps.stdout.write(entries.map((entry) => `${safeJson(entry)}\n`).join(''));
    else if (entries.length === 0) deps.stdout.write('No matching entries.\n');
    else deps.stdout.write(table([['TIME', 'WHO', 'FROM', 'SESSION', 'WHAT'], ...entries.map(rowOf)]));
    if (incomplete === true) deps.stderr.write('Older entries are still being indexed: some may be missing. Try again in a moment.\n');
    return EXIT.ok;
  },
};

const rowOf = ({ at, actor, sessionId, words }: AuditEntry): string[] => [
  at.slice(0, 19).replace('T', ' '),
  printableLine(actor.kind === 'person' ? actor.name : `${actor.kind} ${actor.name}`),
  printableLine(actor.from ?? ''),
  sessionId ?? '',
  printableLine(words),
];
