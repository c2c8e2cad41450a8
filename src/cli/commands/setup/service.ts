import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { safeJson } from '../../../protocol/odd-characters.ts';
import { stableCommand } from '../../service/program-path.ts';
import { managerFor, removeOwnFile, run, type ServiceManager, writeOwnFile } from '../../service/service-manager.ts';
import { refuseInsideRun, runningServer } from '../../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, textOf, UsageProblem } from '../../shared/command.ts';
import type { CliConfig, CliDeps } from '../../shared/deps.ts';

const VERBS = ['install', 'remove', 'status'] as const;

export const serviceCommand: CliCommand = {
  name: 'service',
  summary: 'Run the server in the background, also after a login or a restart',
  help: `
Usage: signalbox service install [--data DIR] [--host HOST] [--port PORT] [--print]
       signalbox service remove
       signalbox service status [--json]

Installs a user service (systemd on Linux, launchd on macOS) that starts the server again
whenever it ends. Agents keep running while it restarts. Other settings belong in
config.json of the data folder; the token is never written into the service.

  --print   print the file instead of installing it
  --json    print one JSON object

Examples:
  signalbox service install
  signalbox service install --port 4800
  signalbox service status
`,
  flags: { host: { type: 'string' }, port: { type: 'string' }, print: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async (deps, given, [word = 'status', ...more]) => {
    const verb = VERBS.find((known) => known === word);
    if (verb === undefined || more.length > 0) throw new UsageProblem('use install, remove or status');
    if (verb !== 'status') refuseInsideRun(deps, `${verb} a service`);
    const config = deps.loadConfig({ data: given.data, host: given.host, port: portIn(given) });
    const manager = managerHere(deps);
    if (verb === 'status') return status(deps, given, config, manager);
    return verb === 'remove' ? remove(deps, manager) : install(deps, given, config, manager);
  },
};

function portIn(given: Given): number | undefined {
  const text = textOf(given, 'port');
  if (text !== undefined && !/^\d{1,5}$/.test(text)) throw new UsageProblem(`--port must be a number from 0 to 65535, not "${text}"`);
  return text === undefined ? undefined : Number(text);
}

function managerHere({ env }: CliDeps): ServiceManager {
  const { homedir, username, uid } = userInfo();
  return managerFor({ platform: process.platform, home: env.HOME ?? homedir, user: username, uid, configHome: env.XDG_CONFIG_HOME });
}

async function install(deps: CliDeps, given: Given, config: CliConfig, manager: ServiceManager): Promise<number> {
  const command = stableCommand({ script: deps.script, node: process.execPath, path: deps.env.PATH ?? '' });
  const argv = [...command.argv, 'serve', '--no-open', '--data', config.data, ...flagsIn(given)];
  const text = manager.text({ argv, path: command.path, logFile: join(config.data, 'service.log') });
  if (given.print === true) {
    deps.stdout.write(text);
    return EXIT.ok;
  }
  const server = runningServer(config.data);
  if (server !== undefined && (await run(manager.isRunning)) === undefined)
    throw new CliProblem(`A server is already running on ${config.data} (process ${server.pid}). Stop it first; its agents keep running.`);
  const isNew = writeOwnFile(manager.file, text);
  deps.stdout.write(`${isNew ? 'Installed' : 'Unchanged'}: ${manager.file}\n`);
  return start(deps, manager, isNew);
}

const flagsIn = (given: Given): readonly string[] =>
  ['host', 'port'].flatMap((name) => (textOf(given, name) === undefined ? [] : [`--${name}`, textOf(given, name) ?? '']));

async function start(deps: CliDeps, manager: ServiceManager, isNew: boolean): Promise<number> {
  if (!isNew && (await run(manager.isRunning)) !== undefined) return EXIT.ok;
  // An earlier version of the service, if there is one.
  if (manager.name === 'launchd') await run(manager.stop[0] ?? ['true']);
  for (const command of manager.start) {
    if ((await run(command)) !== undefined) continue;
    const rest = manager.start.slice(manager.start.indexOf(command)).map((words) => `  ${words.join(' ')}`);
    deps.stderr.write(`${manager.name} can't be reached from here. In a login session, run:\n${rest.join('\n')}\n`);
    return EXIT.failed;
  }
  deps.stdout.write('Started. To see the address: signalbox service status\n');
  await tellHint(deps, manager);
  return EXIT.ok;
}

async function tellHint(deps: CliDeps, { hint }: ServiceManager): Promise<void> {
  if (hint !== undefined && !hint.matches.test((await run(hint.unless)) ?? '')) deps.stdout.write(`${hint.text}\n`);
}

async function remove(deps: CliDeps, manager: ServiceManager): Promise<number> {
  if (!existsSync(manager.file)) {
    deps.stdout.write('No service is installed.\n');
    return EXIT.ok;
  }
  for (const command of manager.stop) await run(command);
  removeOwnFile(manager.file);
  for (const command of manager.afterRemoval) await run(command);
  deps.stdout.write(`Removed: ${manager.file}\nAgents that are working keep running; the next server finds them.\n`);
  return EXIT.ok;
}

/** Exit code 0 while the service runs. */
async function status(deps: CliDeps, given: Given, { data }: CliConfig, manager: ServiceManager): Promise<number> {
  const installed = existsSync(manager.file);
  const running = installed && (await run(manager.isRunning)) !== undefined;
  const server = runningServer(data);
  const facts = { manager: manager.name, file: manager.file, installed, running, ...(server !== undefined && { url: server.url, pid: server.pid }) };
  if (given.json === true) deps.stdout.write(`${safeJson(facts)}\n`);
  else {
    const state = running ? 'running' : installed ? 'installed, not running' : 'not installed (signalbox service install)';
    deps.stdout.write(
      `Service: ${state}\n${installed ? `File: ${manager.file}\n` : ''}Server: ${server === undefined ? 'none' : `${server.url} (process ${server.pid})`}\n`,
    );
    if (running) await tellHint(deps, manager);
  }
  return running ? EXIT.ok : EXIT.failed;
}
