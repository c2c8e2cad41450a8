import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type Machine, MachineList } from '../../protocol/api/machines.ts';
import { openApi, refuseInsideRun } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, UsageProblem } from '../shared/command.ts';
import type { CliDeps } from '../shared/deps.ts';
import { printableLine, table } from '../shared/paint.ts';

const KEY_BYTES = 32;

export const nodesCommand: CliCommand = {
  name: 'nodes',
  summary: 'List the machines of the cluster, forget one, or make a cluster key',
  help: `
Usage: signalbox nodes [--json]
       signalbox nodes forget MACHINE
       signalbox nodes key

MACHINE is a host name or the start of an id. Forget a machine that will not return: its
sessions leave the lists of this server. "key" prints a new key for SIGNALBOX_CLUSTER_KEY,
which has to be the same on every machine; it is stored nowhere.

Examples:
  signalbox nodes
  signalbox nodes forget old-laptop
  signalbox nodes key
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given, [verb, name]) => {
    if (verb === 'key') {
      deps.stdout.write(`${randomBytes(KEY_BYTES).toString('base64url')}\n`);
      return EXIT.ok;
    }
    if (verb !== undefined && verb !== 'list' && verb !== 'forget') throw new UsageProblem('use forget, key, or nothing to list the machines');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const list = await api.ask(MachineList, '/api/nodes');
    if (verb !== 'forget') return print(deps, list, given.json === true);
    refuseInsideRun(deps, 'forget machines');
    if (name === undefined) throw new UsageProblem('name a machine; "signalbox nodes" lists them');
    const { id } = find(list, name);
    await api.ask(z.object({ id: z.string() }), `/api/nodes/${encodeURIComponent(id)}`, { method: 'DELETE' });
    deps.stdout.write(`Forgot ${name}\n`);
    return EXIT.ok;
  },
};

function find({ nodes }: MachineList, name: string): Machine {
  const named = nodes.filter(({ id, facts }) => facts?.hostname === name || id.startsWith(name));
  const [only, other] = named;
  if (only === undefined) throw new CliProblem(`There is no machine ${name}. Run "signalbox nodes" to see them.`);
  if (other !== undefined) throw new CliProblem(`Several machines match ${name}: use the id.`);
  return only;
}

function print(deps: CliDeps, list: MachineList, asJson: boolean): number {
  if (asJson) deps.stdout.write(`${JSON.stringify(list)}\n`);
  else if (list.cluster === 'off') deps.stdout.write('This server runs alone: SIGNALBOX_REDIS_URL is not set.\n');
  else
    deps.stdout.write(
      `${CLUSTERS[list.cluster]}\n${table([['MACHINE', 'STATE', 'RUNNING', 'SESSIONS', 'VERSION', 'OTHERS MAY', 'ID'], ...list.nodes.map(rowOf)])}`,
    );
  return EXIT.ok;
}

const CLUSTERS = {
  joining: 'Connecting to Redis…',
  joined: 'Connected.',
  unreachable: 'Redis can’t be reached, so nobody knows whether other machines are up.',
  superseded: 'A copy of this data folder joined later: this server works alone.',
} as const;

function rowOf({ id, state, since, facts, sessions }: Machine): readonly string[] {
  const shown = since === undefined ? state : `${state} since ${since}`;
  const running = facts === undefined ? '' : `${facts.live}/${facts.maxLive}`;
  return [printableLine(facts?.hostname ?? '?'), shown, running, String(sessions), facts?.version ?? '', facts?.clusterRole ?? '', id];
}
