import { Role } from '../../protocol/actor.ts';
import { NewToken, RevokedToken } from '../../protocol/http.ts';
import { type Api, openApi, refuseInsideRun, runningServer } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, textOf, UsageProblem } from '../shared/command.ts';
import type { CliConfig, CliDeps } from '../shared/deps.ts';
import { table } from '../shared/paint.ts';

export const tokenCommand: CliCommand = {
  name: 'token',
  summary: 'Create, list and revoke tokens for other people',
  help: `
Usage: signalbox token add NAME --role viewer|driver|owner
       signalbox token list
       signalbox token revoke NAME

Viewers can read; drivers can also send, approve and create sessions; owners can do
everything. Only a hash is stored, so the token is shown once. A running server applies the
change immediately and records it in the audit log.

Examples:
  signalbox token add anna --role driver
  signalbox token revoke anna
`,
  flags: { role: { type: 'string' } },
  run: async (deps, given, [verb, name]) => {
    refuseInsideRun(deps, 'manage tokens');
    const config = deps.loadConfig({ data: given.data });
    if (verb === 'add') return add(deps, config, name, textOf(given, 'role'));
    if (verb === 'list' || verb === 'ls') return list(deps, config.data);
    if (verb === 'revoke' || verb === 'rm') return revoke(deps, config, name);
    throw new UsageProblem('use add, list or revoke');
  },
};

async function add(deps: CliDeps, config: CliConfig, name: string | undefined, roleText = 'driver'): Promise<number> {
  if (name === undefined) throw new UsageProblem('give the name of the token');
  const role = Role.safeParse(roleText);
  if (!role.success) throw new UsageProblem(`--role must be viewer, driver or owner, not "${roleText}"`);
  const token = await throughServer(
    deps,
    config,
    async (api) => (await api.ask(NewToken, '/api/tokens', { method: 'POST', body: { name, role: role.data } })).token,
    () => deps.tokens.add(config.data, name, role.data),
  );
  deps.stdout.write(`${token}\n`);
  deps.stderr.write(`Token for ${name} (${role.data}). Copy it now: it won't be shown again.\n`);
  return EXIT.ok;
}

function list(deps: CliDeps, data: string): number {
  const rows = deps.tokens.list(data).map((token) => [token.name, token.role, token.createdAt]);
  deps.stdout.write(table([['NAME', 'ROLE', 'CREATED'], ['owner', 'owner', '(in the file "token" in the data folder)'], ...rows]));
  return EXIT.ok;
}

async function revoke(deps: CliDeps, config: CliConfig, name: string | undefined): Promise<number> {
  if (name === undefined) throw new UsageProblem('give the name of the token');
  if (name === 'owner')
    throw new CliProblem(`The owner's token is in the file "token" in ${config.data}. To replace it, delete the file and restart the server.`);
  const revoked = await throughServer(
    deps,
    config,
    async (api) => (await api.ask(RevokedToken, `/api/tokens/${encodeURIComponent(name)}`, { method: 'DELETE' })).name === name,
    () => deps.tokens.revoke(config.data, name),
  );
  if (!revoked) throw new CliProblem(`There is no token named "${name}". Run "signalbox token list" to see them.`);
  deps.stdout.write(`Revoked ${name}\n`);
  return EXIT.ok;
}

/** A running server records who did it. Without one, or when it refuses, write the file ourselves. */
async function throughServer<T>(deps: CliDeps, config: CliConfig, ask: (api: Api) => Promise<T>, write: () => T): Promise<T> {
  if (runningServer(config.data) === undefined) return write();
  try {
    return await ask(openApi({ ...deps, env: {} }, config));
  } catch (error) {
    if (!(error instanceof CliProblem)) throw error;
    return write();
  }
}
