import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HookStatus } from '../../../protocol/api/outside/hooks.ts';
import { hasEntries, install, remove, settingsIn, type Wanted } from '../../hook/settings-file.ts';
import { askAsHook, refuseInsideRun } from '../../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, textOf, UsageProblem } from '../../shared/command.ts';
import type { CliConfig, CliDeps, HookAgent } from '../../shared/deps.ts';

const STAY_MAX_S = 60;

export const hooksCommand: CliCommand = {
  name: 'hooks',
  summary: 'Approve and message sessions that run in your terminals',
  help: `
Usage: signalbox hooks install|remove|status [--agent claude-code] [--stay SECONDS] [--json]

Adds hooks to the agent's own settings file, so that sessions in your terminals ask here as
well: the dialog in the terminal and the card on the page are both there, and the first
answer wins. A message that you send to such a session is delivered when its turn ends.
Everything else in the file stays as it is; "remove" restores it.

  --agent ID      the agent (default: claude-code)
  --stay SECONDS  when a turn ends, wait this long for a message (up to ${STAY_MAX_S}; default 0)
  --json          print one JSON object

Without a running server, hooks do nothing. Sessions that Signalbox runs don't use them.

Example:
  signalbox hooks install
`,
  flags: { agent: { type: 'string' }, stay: { type: 'string' }, json: { type: 'boolean' } },
  run: async (deps, given, [verb, ...more]) => {
    if (more.length > 0 || (verb !== 'install' && verb !== 'remove' && verb !== 'status')) throw new UsageProblem('use install, remove or status');
    if (verb !== 'status') refuseInsideRun(deps, 'change hooks');
    const config = deps.loadConfig({ data: given.data });
    const wanted = wantedFor(deps, config, given);
    if (verb === 'status') return status(deps, config, wanted, given);
    const changed = verb === 'install' ? installAll(config, wanted) : removeAll(config, wanted);
    const words = { install: ['Installed', 'Already installed'], remove: ['Removed', 'There were no hooks'] }[verb];
    if (given.json === true) deps.stdout.write(`${JSON.stringify({ agent: wanted.agent.id, file: wanted.file, changed })}\n`);
    else deps.stdout.write(`${words[changed ? 0 : 1]}: ${wanted.file}\n${verb === 'install' ? limitsText(wanted.agent) : ''}`);
    return EXIT.ok;
  },
};

function wantedFor(deps: CliDeps, config: CliConfig, given: Given): Wanted {
  const id = textOf(given, 'agent') ?? deps.hooks.agents[0]?.id ?? '';
  const agent = deps.hooks.agents.find((one) => one.id === id);
  if (agent === undefined) throw new UsageProblem(`--agent must be one of: ${deps.hooks.agents.map((one) => one.id).join(', ')}`);
  const stay = textOf(given, 'stay') ?? '0';
  if (!/^\d{1,2}$/.test(stay) || Number(stay) > STAY_MAX_S) throw new UsageProblem(`--stay must be a number of seconds from 0 to ${STAY_MAX_S}`);
  const { program, node } = deps.hooks;
  const data = existsSync(config.data) ? realpathSync(config.data) : config.data;
  const words = (does: string): readonly string[] => [
    program,
    node,
    data,
    agent.id,
    does,
    ...(does === 'stop' && stay !== '0' ? [`${Number(stay) * 1000}`] : []),
  ];
  return {
    agent,
    file: agent.hooks.settingsFile(deps.env),
    recordFile: join(config.data, 'hooks', `${agent.id}.json`),
    // When Signalbox is deleted, the command does nothing.
    command: (does) => `[ ! -r ${quoted(program)} ] || exec sh ${words(does).map(quoted).join(' ')}`,
  };
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const tokenFile = (data: string, agent: string): string => join(data, 'hooks', `${agent}.token`);

function installAll({ data }: CliConfig, wanted: Wanted): boolean {
  if (!existsSync(data)) throw new CliProblem(`There is no data folder ${data} yet. Start the server once: signalbox serve`);
  const file = tokenFile(data, wanted.agent.id);
  mkdirSync(join(data, 'hooks'), { recursive: true, mode: 0o700 });
  if (existsSync(file)) chmodSync(file, 0o600);
  else writeFileSync(file, `hook.${wanted.agent.id}.${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  return install(wanted);
}

/** Without its file, the token is worth nothing. */
function removeAll({ data }: CliConfig, wanted: Wanted): boolean {
  const isRemoved = remove(wanted);
  rmSync(tokenFile(data, wanted.agent.id), { force: true });
  return isRemoved;
}

async function status(deps: CliDeps, config: CliConfig, { agent, ...wanted }: Wanted, given: Given): Promise<number> {
  const installed = hasEntries(wanted.file);
  const answer = installed ? await askAsHook(HookStatus, config, agent.id, '/api/hooks/status') : undefined;
  const obstacle = agent.hooks.obstacle(settingsIn(wanted.file));
  const facts = {
    agent: agent.id,
    file: wanted.file,
    installed,
    server: answer !== undefined,
    ...(obstacle !== undefined && { obstacle }),
    limits: agent.hooks.limits,
  };
  if (given.json === true) deps.stdout.write(`${JSON.stringify(facts)}\n`);
  else {
    const server = !installed
      ? ''
      : answer === undefined
        ? 'The server does not answer: hooks do nothing until it runs.\n'
        : `The server answers: ${answer.version}\n`;
    const state = installed ? 'Hooks are installed' : 'Hooks are not installed';
    deps.stdout.write(`${agent.title}: ${state} (${wanted.file})\n${server}${obstacle === undefined ? '' : `${obstacle}\n`}${limitsText(agent)}`);
  }
  return EXIT.ok;
}

const limitsText = (agent: HookAgent): string => agent.hooks.limits.map((limit) => `Note: ${limit}\n`).join('');
