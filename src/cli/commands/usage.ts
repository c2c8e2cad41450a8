import { UsageBy, UsageList, type UsageRow } from '../../protocol/api/usage.ts';
import { openApi } from '../api.ts';
import { type CliCommand, EXIT, textOf, UsageProblem } from '../command.ts';
import { harmlessLine, table } from '../paint.ts';

const FILTERS = ['from', 'to', 'agent', 'project', 'model'] as const;

export const usageCommand: CliCommand = {
  name: 'usage',
  summary: 'Tokens, cost, turns and time by day, model, project or agent',
  help: `
Usage: signalbox usage [flags]

  --by WHAT        day (default), model, project or agent
  --from DATE      from this day of UTC on, such as 2026-03-01
  --to DATE        up to and with this day
  --agent ID       only one agent
  --project ID     only one project
  --model NAME     only one model
  --json           the answer of the server

Examples:
  signalbox usage --from 2026-03-01
  signalbox usage --by model --json
`,
  flags: { ...Object.fromEntries(FILTERS.map((name) => [name, { type: 'string' } as const])), by: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given) => {
    const by = UsageBy.safeParse(textOf(given, 'by') ?? 'day');
    if (!by.success) throw new UsageProblem('--by is day, model, project or agent');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const query = new URLSearchParams({ by: by.data });
    for (const name of FILTERS) if (textOf(given, name) !== undefined) query.set(name, textOf(given, name) ?? '');
    const usage = await api.ask(UsageList, `/api/usage?${query}`);
    if (given.json === true) deps.stdout.write(`${JSON.stringify(usage)}\n`);
    else deps.stdout.write(table([HEAD, ...usage.rows.map(rowOf), rowOf({ key: '', title: 'all', ...usage.total })]));
    if (usage.unpriced.length > 0) deps.stderr.write(`Nobody knows the price of ${harmlessLine(usage.unpriced.join(', '))}: its tokens are not in the cost.\n`);
    if (!usage.whole) deps.stderr.write('Records are still being read: there may be more.\n');
    return EXIT.ok;
  },
};

const HEAD = ['WHAT', 'COST', 'IN', 'OUT', 'CACHE READ', 'CACHE WRITE', 'TURNS', 'HOURS', 'SESSIONS'];

const rowOf = (row: UsageRow): string[] => [
  harmlessLine(row.title),
  `$${row.costUsd.toFixed(2)}${row.unpricedTokens > 0 ? '+' : ''}`,
  ...[row.inputTokens, row.outputTokens, row.cacheReadTokens, row.cacheWriteTokens, row.turns].map(String),
  (row.durationMs / 3_600_000).toFixed(1),
  String(row.sessions),
];
