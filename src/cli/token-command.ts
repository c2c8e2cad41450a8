import { Role } from '../protocol/actor.ts';
import { type CliCommand, CliProblem, EXIT, textOf, UsageProblem } from './command.ts';
import type { CliDeps } from './deps.ts';
import { table } from './paint.ts';

export const tokenCommand: CliCommand = {
  name: 'token',
  summary: 'Give others a token of their own, list and revoke them',
  help: `
Usage: signalbox token add NAME --role viewer|driver|owner
       signalbox token list
       signalbox token revoke NAME

A viewer reads; a driver also sends, approves and creates; an owner may do all.
Only a hash is kept: the token is shown once. A running server notices at once.

Examples:
  signalbox token add anna --role driver
  signalbox token revoke anna
`,
  flags: { role: { type: 'string' } },
  run: async (deps, given, [verb, name]) => {
    const { data } = deps.loadConfig({ data: given.data });
    if (verb === 'add') return add(deps, data, name, textOf(given, 'role'));
    if (verb === 'list' || verb === 'ls') return list(deps, data);
    if (verb === 'revoke' || verb === 'rm') return revoke(deps, data, name);
    throw new UsageProblem('say add, list or revoke');
  },
};

function add(deps: CliDeps, data: string, name: string | undefined, roleText = 'driver'): number {
  if (name === undefined) throw new UsageProblem('whose token? Give a name');
  const role = Role.safeParse(roleText);
  if (!role.success) throw new UsageProblem(`--role is viewer, driver or owner, not "${roleText}"`);
  deps.stdout.write(`${deps.tokens.add(data, name, role.data)}\n`);
  deps.stderr.write(`This is the token of ${name} (${role.data}). It is not shown again.\n`);
  return EXIT.ok;
}

function list(deps: CliDeps, data: string): number {
  const rows = deps.tokens.list(data).map((token) => [token.name, token.role, token.createdAt]);
  deps.stdout.write(table([['NAME', 'ROLE', 'CREATED'], ['owner', 'owner', '(the file token of the data folder)'], ...rows]));
  return EXIT.ok;
}

function revoke(deps: CliDeps, data: string, name: string | undefined): number {
  if (name === undefined) throw new UsageProblem('whose token? Give a name');
  if (name === 'owner') throw new CliProblem(`The owner's token is the file token in ${data}: delete it and start the server again, and a new one is made`);
  if (!deps.tokens.revoke(data, name)) throw new CliProblem(`There is no token named ${name}`);
  deps.stdout.write(`Revoked ${name}\n`);
  return EXIT.ok;
}
