import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDescription } from '../../protocol/http.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { refuseInsideRun, runningServer } from '../shared/api.ts';
import { type CliCommand, EXIT } from '../shared/command.ts';
import type { CliConfig, CliDeps } from '../shared/deps.ts';
import { diskFinding, type Finding, fifoFinding, folderFinding, inotifyFinding, nodeFinding } from '../shared/machine-findings.ts';
import { type Paint, paintFor, table } from '../shared/paint.ts';

export const doctorCommand: CliCommand = {
  name: 'doctor',
  summary: 'Show settings in effect, what is missing and how to fix it',
  help: `
Usage: signalbox doctor [--check | --rebuild] [--json]

  --check     compare the journal with the session files (stop the server first)
  --rebuild   restore the databases from the session files (stop the server first)
  --json      print one JSON object

Exits with code 1 if something would keep Signalbox from working.

Examples:
  signalbox doctor
  signalbox doctor --data /srv/signalbox --json
  signalbox doctor --rebuild
`,
  flags: { check: { type: 'boolean' }, rebuild: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async (deps, given) => {
    const config = deps.loadConfig({ data: given.data });
    if (given.rebuild === true) refuseInsideRun(deps, 'rebuild the databases');
    if (given.rebuild === true) return rebuild(deps, config);
    if (given.check === true) return check(deps, config);
    const findings = [...(await machineFindings(deps, config)), ...(await deps.agents(config)).map(agentFinding)];
    if (given.json === true) deps.stdout.write(`${safeJson({ version: deps.version, settings: settingsOf(config), findings })}\n`);
    else print(deps, config, findings);
    return findings.some((finding) => finding.level === 'bad') ? EXIT.failed : EXIT.ok;
  },
};

async function rebuild<C extends CliConfig>(deps: CliDeps<C>, config: C): Promise<number> {
  if (isServing(deps, config)) return EXIT.failed;
  for (const line of await deps.rebuild(config)) deps.stdout.write(`${line}\n`);
  return EXIT.ok;
}

async function check<C extends CliConfig>(deps: CliDeps<C>, config: C): Promise<number> {
  if (isServing(deps, config)) return EXIT.failed;
  const { isSame, lines } = await deps.checkJournal(config);
  for (const line of lines) deps.stdout.write(`${line}\n`);
  return isSame ? EXIT.ok : EXIT.failed;
}

/** Says so. */
function isServing(deps: Pick<CliDeps, 'stderr'>, config: CliConfig): boolean {
  const server = runningServer(config.data);
  if (server === undefined) return false;
  deps.stderr.write(`A server (pid ${server.pid}) is running on ${config.data}. Stop it first; its agents keep working meanwhile.\n`);
  return true;
}

const machineFindings = async (deps: CliDeps, config: CliConfig): Promise<readonly Finding[]> => [
  nodeFinding(),
  folderFinding(config.data),
  await diskFinding(config.data),
  await fifoFinding(config.data),
  inotifyFinding(),
  existsSync(join(deps.webDir, 'index.html'))
    ? { level: 'good', what: 'web files', detail: deps.webDir }
    : { level: 'bad', what: 'web files', detail: `missing in ${deps.webDir}: run npm run build` },
  serverFinding(config),
  ...tokenFindings(config),
];

/** Sign-in attempts are rate-limited, but a short token can still be guessed in the end. */
const MIN_TOKEN_CHARS = 16;

function tokenFindings({ token }: CliConfig): readonly Finding[] {
  if (token === undefined || token.length >= MIN_TOKEN_CHARS) return [];
  return [{ level: 'note', what: 'token', detail: `SIGNALBOX_TOKEN is too short to be safe: use at least ${MIN_TOKEN_CHARS} characters` }];
}

function serverFinding(config: CliConfig): Finding {
  const server = runningServer(config.data);
  return { level: 'good', what: 'server', detail: server === undefined ? 'not running' : `running at ${server.url} (pid ${server.pid})` };
}

/** A missing agent is only a note: people install the ones they want. */
function agentFinding(agent: AgentDescription): Finding {
  if (!agent.available) return { level: 'note', what: `agent ${agent.id}`, detail: agent.problem ?? 'not installed' };
  const isUntested = agent.version !== undefined && agent.verifiedWith.length > 0 && !agent.verifiedWith.includes(agent.version);
  const foundBy = agent.foundBy === undefined ? undefined : `found via ${agent.foundBy}`;
  const detail = [agent.version, agent.path, foundBy, runBy(agent), agent.problem, isUntested ? `tested with ${agent.verifiedWith.join(', ')}` : undefined]
    .filter((part) => part !== undefined)
    .join(' · ');
  return { level: agent.problem === undefined ? 'good' : 'note', what: `agent ${agent.id}`, detail: detail === '' ? 'available' : detail };
}

function runBy({ interpreter }: AgentDescription): string | undefined {
  if (interpreter === undefined) return undefined;
  return `runs with ${[interpreter.path, interpreter.version].filter((part) => part !== undefined).join(' ')} (${interpreter.foundBy})`;
}

/** A token, and an address that can contain a password. */
const HIDDEN: ReadonlySet<string> = new Set(['token', 'redisUrl']);

function settingsOf(config: CliConfig): readonly { readonly name: string; readonly value: string; readonly from: string }[] {
  return Object.entries(config.from).map(([name, from]) => ({ name, value: HIDDEN.has(name) ? '(hidden)' : shown(config.values[name]), from }));
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function print(deps: CliDeps, config: CliConfig, findings: readonly Finding[]): void {
  const paint = paintFor(deps, deps.stdout);
  deps.stdout.write(`${paint.bold(`Signalbox ${deps.version}`)}\n\nSettings\n`);
  deps.stdout.write(table(settingsOf(config).map(({ name, value, from }) => [`  ${name}`, value, from])));
  deps.stdout.write(`\nFindings\n${findings.map((finding) => `  ${mark(finding.level, paint)} ${finding.what}: ${finding.detail}\n`).join('')}`);
}

const mark = (level: Finding['level'], paint: Paint): string => ({ good: paint.green('ok  '), note: paint.yellow('note'), bad: paint.red('BAD ') })[level];
