import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { PlanAnswer, PlanFile, PlanList, PlanQueue, PlanState, type PlanSummary } from '../../protocol/api/plan.ts';
import { CommandAnswer } from '../../protocol/http.ts';
import { type Api, openApi, refuseInsideRun } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, textOf, UsageProblem } from '../shared/command.ts';
import type { CliDeps } from '../shared/deps.ts';
import { printable, printableLine, table } from '../shared/paint.ts';

export const planCommand: CliCommand = {
  name: 'plan',
  summary: 'List plans; create, generate, start, pause or cancel one; answer its gates',
  help: `
Usage: signalbox plan [--json]
       signalbox plan show     PLAN [--json]
       signalbox plan create   FILE [--id ID] [--project DIR]
       signalbox plan generate PLAN TASK [--agent ID]
       signalbox plan start|pause|resume|cancel PLAN
       signalbox plan gate     PLAN STEP go|back|stop [--to STEP] [--words TEXT]
       signalbox plan retry    PLAN STEP [--words TEXT]
       signalbox plan continue PLAN STEP [--words TEXT]
       signalbox plan skip     PLAN STEP
       signalbox plan export   PLAN
       signalbox plan queue    [--json]

FILE is what "export" prints: {"signalboxPlan":1,"title":"…","nodes":[{"id":"a","title":"…","prompt":"…","needs":[]}]}

  --id ID         the id of the new plan (default: made from its title)
  --project DIR   the folder in which it works (default: this one)
  --agent ID      the agent that makes the steps (default: the plan's own)
  --to STEP       send this step back instead of the one at the gate
  --words TEXT    what the next attempt is told
  --json          print JSON; lists are one object per line

Examples:
  signalbox plan create login.json && signalbox plan start login-3fa9c1
  signalbox plan gate login-3fa9c1 review back --to build --words "keep the old name"
`,
  flags: {
    json: { type: 'boolean' },
    id: { type: 'string' },
    project: { type: 'string' },
    agent: { type: 'string' },
    to: { type: 'string' },
    words: { type: 'string' },
  },
  run: async (deps, given, [verb = 'list', ...names]) => {
    const act = VERBS[verb];
    if (act === undefined) throw new UsageProblem(`use ${Object.keys(VERBS).join(', ')}`);
    return act({ deps, given, names, api: openApi(deps, deps.loadConfig({ data: given.data })) });
  },
};

interface Asked {
  readonly deps: CliDeps;
  readonly given: Given;
  readonly names: readonly string[];
  readonly api: Api;
}

type Verb = (asked: Asked) => Promise<number>;

const planAct =
  (act: 'start' | 'pause' | 'resume' | 'cancel', done: string): Verb =>
  (asked) =>
    post(asked, `${planPath(asked)}/${act}`, {}, done);

const nodeAct =
  (act: 'retry' | 'resume' | 'skip', done: string): Verb =>
  (asked) =>
    post(asked, `${nodePath(asked)}/${act}`, wordsOf(asked), done);

const VERBS: Readonly<Record<string, Verb>> = {
  list,
  show,
  create,
  generate: (asked) => {
    const [, task] = asked.names;
    if (task === undefined) throw new UsageProblem('say what the plan should do: signalbox plan generate PLAN "TASK"');
    return post(asked, `${planPath(asked)}/generate`, { task, agent: textOf(asked.given, 'agent') }, 'An agent makes the steps.');
  },
  start: planAct('start', 'Started.'),
  pause: planAct('pause', 'Paused: nothing more starts.'),
  resume: planAct('resume', 'Resumed.'),
  cancel: planAct('cancel', 'Cancelled.'),
  gate: (asked) => {
    const outcome = asked.names[2];
    if (outcome !== 'go' && outcome !== 'back' && outcome !== 'stop') throw new UsageProblem('answer with go, back or stop');
    return post(asked, `${nodePath(asked)}/gate`, { outcome, to: textOf(asked.given, 'to'), ...wordsOf(asked) }, 'Answered.');
  },
  retry: nodeAct('retry', 'It gets another attempt.'),
  continue: nodeAct('resume', 'It continues.'),
  skip: nodeAct('skip', 'Skipped.'),
  export: exportPlan,
  queue,
};

const planPath = ({ names: [id] }: Asked): string => {
  if (id === undefined) throw new UsageProblem('name a plan; "signalbox plan" lists them');
  return `/api/plans/${encodeURIComponent(id)}`;
};

const nodePath = (asked: Asked): string => {
  const [, node] = asked.names;
  if (node === undefined) throw new UsageProblem('name a step; "signalbox plan show PLAN" lists them');
  return `${planPath(asked)}/nodes/${encodeURIComponent(node)}`;
};

const wordsOf = ({ given }: Asked): { readonly words?: string } => {
  const words = textOf(given, 'words');
  return words === undefined ? {} : { words };
};

async function post({ deps, given, api }: Asked, path: string, body: object, done: string): Promise<number> {
  refuseInsideRun(deps, 'steer a plan');
  const answer = await api.ask(CommandAnswer, path, { method: 'POST', body });
  deps.stdout.write(given.json === true ? `${JSON.stringify(answer)}\n` : `${done}\n`);
  return EXIT.ok;
}

async function list({ deps, given, api }: Asked): Promise<number> {
  const { plans } = await api.ask(PlanList, '/api/plans');
  if (given.json === true) deps.stdout.write(plans.map((plan) => `${JSON.stringify(plan)}\n`).join(''));
  else deps.stdout.write(plans.length === 0 ? 'No plans.\n' : table(plans.map(rowOf)));
  return EXIT.ok;
}

function rowOf({ id, status, counts, nodes, gates, spent, title }: PlanSummary): string[] {
  const done = (counts.done ?? 0) + (counts.skipped ?? 0);
  const waiting = gates > 0 ? `${gates} need you` : '';
  return [id, status, `${done}/${nodes} steps`, `$${spent.usd.toFixed(2)}${spent.unknown ? '+?' : ''}`, waiting, printableLine(title)];
}

async function show(asked: Asked): Promise<number> {
  const { deps, given, api } = asked;
  const { plan, waitsFor } = await api.ask(PlanAnswer, planPath(asked));
  if (given.json === true) deps.stdout.write(`${JSON.stringify(plan)}\n`);
  else {
    const rows = plan.nodes.map(({ id, status, title, needs, summary }) => [
      id,
      status,
      printableLine(title),
      needs.length === 0 ? '' : `needs ${needs.join(', ')}`,
      printableLine(waitsFor[id]?.words ?? summary ?? '').slice(0, 100),
    ]);
    deps.stdout.write(`${printable(plan.head.title)} · ${plan.status}\n${rows.length === 0 ? 'No steps.\n' : table(rows)}`);
  }
  return EXIT.ok;
}

async function create({ deps, given, api, names: [path] }: Asked): Promise<number> {
  refuseInsideRun(deps, 'create a plan');
  if (path === undefined) throw new UsageProblem('name a file; "signalbox plan export PLAN" prints one');
  const body = { id: textOf(given, 'id'), cwd: resolve(deps.cwd, textOf(given, 'project') ?? '.'), file: fileAt(resolve(deps.cwd, path)) };
  const plan = await api.ask(PlanState, '/api/plans/import', { method: 'POST', body });
  deps.stdout.write(given.json === true ? `${JSON.stringify(plan)}\n` : `${plan.id}\n`);
  return EXIT.ok;
}

/** Checked here, so that a mistake is named before anything is sent; the graph itself is checked by the server. */
function fileAt(path: string): PlanFile {
  const parsed = z.safeParse(PlanFile, jsonAt(path));
  if (parsed.success) return parsed.data;
  throw new CliProblem(`${path} is no plan: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`);
}

function jsonAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CliProblem(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function exportPlan(asked: Asked): Promise<number> {
  const file = await asked.api.ask(PlanFile, `${planPath(asked)}/export`);
  asked.deps.stdout.write(`${JSON.stringify(file, undefined, 2)}\n`);
  return EXIT.ok;
}

async function queue({ deps, given, api }: Asked): Promise<number> {
  const { nodes } = await api.ask(PlanQueue, '/api/plans/queue');
  if (given.json === true) deps.stdout.write(nodes.map((node) => `${JSON.stringify(node)}\n`).join(''));
  else {
    const rows = nodes.map(({ position, planId, nodeId, status, waitsFor, title }) => [
      String(position),
      planId,
      nodeId,
      status,
      printableLine(title),
      printableLine(waitsFor?.words ?? ''),
    ]);
    deps.stdout.write(rows.length === 0 ? 'No steps run or wait.\n' : table(rows));
  }
  return EXIT.ok;
}
