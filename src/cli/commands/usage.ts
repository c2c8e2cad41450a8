import { UsageBy, UsageList, type UsageRow } from '../../protocol/api/usage.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, textOf, UsageProblem } from '../shared/command.ts';
import { printableLine, table } from '../shared/paint.ts';

const FILTERS = ['from', 'to', 'agent', 'project', 'model'] as const;

export const usageCommand: CliCommand = {
  name: 'usage',
  summary: 'Show tokens, cost, turns and time by day, model, project or agent',
  help: `
Usage: signalbox usage [flags]

  --by WHAT        group by day (default), model, project or agent
  --from DATE      first day (UTC), such as 2026-03-01
  --to DATE        last day (UTC), included
  --agent ID       only this agent
  --project ID     only this project
  --model NAME     only this model
  --json           print the server's response

Examples:
  signalbox usage --from 2026-03-01
  signalbox usage --by model --json
`,
  flags: { ...Object.fromEntries(FILTERS.map((name) => [name, { type: 'string' } as const])), by: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given) => {
    const by = UsageBy.safeParse(textOf(given, 'by') ?? 'day');
    if (!by.success) throw new UsageProblem('--by must be day, model, project or agent');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const query = new URLSearchParams({ by: by.data });
    for (const name of FILTERS) if (textOf(given, name) !== undefined) query.set(name, textOf(given, name) ?? '');
    const usage = await api.ask(UsageList, `/api/usage?${query}`);
    if (given.json === true) deps.stdout.write(`${safeJson(usage)}\n`);
    else deps.stdout.write(table([HEAD, ...usage.rows.map(rowOf), rowOf({ key: '', title: 'total', ...usage.total })]));
    if (usage.unpriced.length > 0)
      deps.stderr.write(`No price known for ${printableLine(usage.unpriced.join(', '))}: its tokens are not included in the cost.\n`);
    if (!usage.whole) deps.stderr.write('Past sessions are still being indexed, so these numbers may grow.\n');
    return EXIT.ok;
  },
};

const HEAD = ['WHAT', 'COST', 'IN', 'OUT', 'CACHE READ', 'CACHE WRITE', 'TURNS', 'HOURS', 'SESSIONS'];

const rowOf = (row: UsageRow): string[] => [
  printableLine(row.title),
  `$${row.costUsd.toFixed(2)}${row.unpricedTokens > 0 ? '+' : ''}`,
  ...[row.inputTokens, row.outputTokens, row.cacheReadTokens, row.cacheWriteTokens, row.turns].map(String),
  (row.durationMs / 3_600_000).toFixed(1),
  String(row.sessions),
];
