import { cpus, loadavg, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { LIVE_AGENTS } from '../../test/support/live-suite/agents.ts';
import type { LiveAgent } from '../../test/support/live-suite/live-agent.ts';
import { printTable, type Row } from '../relay/table.ts';
import { measureMemory } from './memory.ts';
import { measureShared } from './shared.ts';
import { measureSpeed } from './speed.ts';
import { openSubject } from './subject.ts';

// npm run bench -- agents [--quick] [--only pi,codex]: every agent behind the server and the same program without it, in one run.
const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } });
// Turns are cheap, starts are not.
const rounds = values.quick ? { starts: 4, turns: 40 } : { starts: 20, turns: 200 };
const sessions = values.quick ? 5 : 20;

const rows: Row[] = [];
for (const agent of chosenAgents()) {
  process.stderr.write(`${agent.title} … (load ${load()})\n`);
  const found = await measure(agent).catch((error: unknown) => [notMeasured(agent, error)]);
  rows.push(...found);
  for (const row of found) process.stderr.write(`  ${row.what}: ${row.ours}${row.floor === '' ? '' : `, without server ${row.floor}`}\n`);
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.versions.node}, load ${load()}\n`,
);
console.log('Times are median / p95; the floor is the program without the server.\n');
printTable(rows);
process.exit(rows.some((row) => row.holds === false) ? 1 : 0);

/** The newest version of each agent, or only the agents named with `--only`. */
function chosenAgents(): readonly LiveAgent[] {
  const newest = [LIVE_AGENTS.claudeCode().slice(-1), LIVE_AGENTS.pi().slice(-1), LIVE_AGENTS.openclaw(), LIVE_AGENTS.codex(), LIVE_AGENTS.acp()].flat();
  const only = values.only?.split(',');
  return newest.filter(({ id }) => only === undefined || only.includes(id));
}

async function measure(agent: LiveAgent): Promise<readonly Row[]> {
  const subject = await openSubject(agent);
  if ('skip' in subject) throw new Error(subject.skip);
  const say = (what: string): boolean => process.stderr.write(`  ${what} …\n`);
  try {
    return [...(await measureSpeed(subject, rounds, say)), ...measureShared(subject), ...(await measureMemory(subject, sessions, say))];
  } finally {
    await subject.bench.close();
  }
}

/** An agent that fails doesn't stop the others from being measured. */
function notMeasured(agent: LiveAgent, error: unknown): Row {
  process.stderr.write(`  ${error instanceof Error ? error.stack : String(error)}\n`);
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return { what: `${agent.title}: measurement failed`, ours: why, floor: '', target: '', holds: false };
}

function load(): string {
  return loadavg()[0]?.toFixed(1) ?? '';
}
