import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDescription } from '../../protocol/http.ts';
import { runningServer } from '../api.ts';
import { type CliCommand, EXIT } from '../command.ts';
import type { CliConfig, CliDeps } from '../deps.ts';
import { diskFinding, type Finding, fifoFinding, folderFinding, inotifyFinding, nodeFinding } from '../machine-findings.ts';
import { type Paint, paintFor, table } from '../paint.ts';

export const doctorCommand: CliCommand = {
  name: 'doctor',
  summary: 'Say what is in force, what is missing and what to do about it',
  help: `
Usage: signalbox doctor [--rebuild] [--json]

  --rebuild   restore the databases from the session files (stop the server first)
  --json      one JSON object

Exit code 1 when something would keep Signalbox from working.

Examples:
  signalbox doctor
  signalbox doctor --data /srv/signalbox --json
  signalbox doctor --rebuild
`,
  flags: { rebuild: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async (deps, given) => {
    const config = deps.loadConfig({ data: given.data });
    if (given.rebuild === true) return rebuild(deps, config);
    const findings = [...(await machineFindings(deps, config)), ...(await deps.agents(config)).map(agentFinding)];
    if (given.json === true) deps.stdout.write(`${JSON.stringify({ version: deps.version, settings: settingsOf(config), findings })}\n`);
    else print(deps, config, findings);
    return findings.some((finding) => finding.level === 'bad') ? EXIT.failed : EXIT.ok;
  },
};

async function rebuild<C extends CliConfig>(deps: CliDeps<C>, config: C): Promise<number> {
  const server = runningServer(config.data);
  if (server !== undefined) {
    deps.stderr.write(`A server (pid ${server.pid}) runs on ${config.data}: stop it first; its agents go on meanwhile\n`);
    return EXIT.failed;
  }
  for (const line of await deps.rebuild(config)) deps.stdout.write(`${line}\n`);
  return EXIT.ok;
}

const machineFindings = async (deps: CliDeps, config: CliConfig): Promise<readonly Finding[]> => [
  nodeFinding(),
  folderFinding(config.data),
  await diskFinding(config.data),
  await fifoFinding(config.data),
  inotifyFinding(),
  existsSync(join(deps.webDir, 'index.html'))
    ? { level: 'good', what: 'web files', detail: deps.webDir }
    : { level: 'bad', what: 'web files', detail: `not built in ${deps.webDir}: run npm run build` },
  serverFinding(config),
  ...tokenFindings(config),
];

/** Guesses are limited to some a minute, but a short token of one's own still falls in the end. */
const TOKEN_CHARS_WISHED = 16;

function tokenFindings({ token }: CliConfig): readonly Finding[] {
  if (token === undefined || token.length >= TOKEN_CHARS_WISHED) return [];
  return [{ level: 'note', what: 'token', detail: `SIGNALBOX_TOKEN is short: ${TOKEN_CHARS_WISHED} characters or more are hard to guess` }];
}

function serverFinding(config: CliConfig): Finding {
  const server = runningServer(config.data);
  return { level: 'good', what: 'server', detail: server === undefined ? 'not running' : `running at ${server.url} (pid ${server.pid})` };
}

/** An agent that is not there is no fault: people have those they want. */
function agentFinding(agent: AgentDescription): Finding {
  if (!agent.available) return { level: 'note', what: `agent ${agent.id}`, detail: agent.problem ?? 'not found' };
  const untried = agent.version !== undefined && agent.verifiedWith.length > 0 && !agent.verifiedWith.includes(agent.version);
  const foundBy = agent.foundBy === undefined ? undefined : `found by ${agent.foundBy}`;
  const detail = [agent.version, agent.path, foundBy, runBy(agent), agent.problem, untried ? `tested with ${agent.verifiedWith.join(', ')}` : undefined]
    .filter((part) => part !== undefined)
    .join(' · ');
  return { level: agent.problem === undefined ? 'good' : 'note', what: `agent ${agent.id}`, detail: detail === '' ? 'available' : detail };
}

function runBy({ interpreter }: AgentDescription): string | undefined {
  if (interpreter === undefined) return undefined;
  return `run by ${[interpreter.path, interpreter.version].filter((part) => part !== undefined).join(' ')} (${interpreter.foundBy})`;
}

function settingsOf(config: CliConfig): readonly { readonly name: string; readonly value: string; readonly from: string }[] {
  return Object.entries(config.from).map(([name, from]) => ({ name, value: name === 'token' ? '(hidden)' : shown(config.values[name]), from }));
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function print(deps: CliDeps, config: CliConfig, findings: readonly Finding[]): void {
  const paint = paintFor(deps, deps.stdout);
  deps.stdout.write(`${paint.bold(`Signalbox ${deps.version}`)}\n\nSettings\n`);
  deps.stdout.write(table(settingsOf(config).map(({ name, value, from }) => [`  ${name}`, value, from])));
  deps.stdout.write(`\nFindings\n${findings.map((finding) => `  ${mark(finding.level, paint)} ${finding.what}: ${finding.detail}\n`).join('')}`);
}

const mark = (level: Finding['level'], paint: Paint): string => ({ good: paint.green('ok  '), note: paint.yellow('note'), bad: paint.red('BAD ') })[level];
