import { resolve } from 'node:path';
import { breadthOf } from '../../domain/policy/breadth.ts';
import { CommandAnswer, RuleList } from '../../protocol/http.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { RuleBody, RuleInUse, RuleTest } from '../../protocol/rule.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, type Flags, type Given, textOf, UsageProblem } from '../shared/command.ts';
import type { CliDeps, Output } from '../shared/deps.ts';
import { printable } from '../shared/paint.ts';
import { rulesTable, testText } from '../shared/rules-text.ts';

const FLAGS: Flags = {
  json: { type: 'boolean' },
  command: { type: 'string' },
  path: { type: 'string' },
  host: { type: 'string' },
  session: { type: 'string' },
  project: { type: 'string' },
  everywhere: { type: 'boolean' },
  agent: { type: 'string' },
  note: { type: 'string' },
  replaces: { type: 'string' },
};

export const rulesCommand: CliCommand = {
  name: 'rules',
  summary: 'Manage rules that answer requests for you: list, test, add, revoke',
  help: `
Usage: signalbox rules [--json]
       signalbox rules add  allow|deny TOOL [pattern] scope [--note TEXT] [--agent ID] [--replaces RULE]
       signalbox rules test allow|deny TOOL [pattern] scope
       signalbox rules revoke RULE

TOOL is the agent's name for the tool; a * at the end matches all names that start that way.
Without a pattern, the rule matches every call of the tool.

Pattern (at most one):
  --command WORDS   a command: literal words; * matches one word, at the end any number
  --path PATH       a file or glob (*, **), relative to the session's folder unless it starts with /
  --host NAME       a host; *.NAME also matches its subdomains

Scope (exactly one):
  --session ID      only this session
  --project DIR     this folder and everything in it
  --everywhere      every session

Options:
  --note TEXT       why; a deny rule sends it to the agent
  --agent ID        only this agent
  --replaces RULE   revoke that rule at the same time
  --json            print JSON; the list is one object per line

Examples:
  signalbox rules
  signalbox rules test allow Bash --command "git status" --everywhere
  signalbox rules add allow Bash --command "npm test" --project .
  signalbox rules add deny Bash --command "git push *" --everywhere --note "a person pushes"
  signalbox rules revoke 3Yk2
`,
  flags: FLAGS,
  run: async (deps, given, [verb, ...positionals]) => {
    if (verb === undefined || verb === 'list') return list(deps, given);
    if (verb === 'add') return add(deps, given, positionals);
    if (verb === 'test') return test(deps, given, positionals);
    if (verb === 'revoke') return revoke(deps, given, positionals);
    throw new UsageProblem('use add, test, revoke, or nothing to list them');
  },
};

const apiOf = (deps: CliDeps, given: Given) => openApi(deps, deps.loadConfig({ data: given.data }));

async function list(deps: CliDeps, given: Given): Promise<number> {
  const { rules } = await apiOf(deps, given).ask(RuleList, '/api/rules');
  if (given.json === true) deps.stdout.write(rules.map((rule) => `${safeJson(rule)}\n`).join(''));
  else deps.stdout.write(rules.length === 0 ? 'No rules: you are asked about every request.\n' : rulesTable(rules));
  return EXIT.ok;
}

async function add(deps: CliDeps, given: Given, positionals: readonly string[]): Promise<number> {
  const body = { ...ruleIn(deps, given, positionals), replaces: textOf(given, 'replaces') };
  warnOf(deps, body);
  const rule = await apiOf(deps, given).ask(RuleInUse, '/api/rules', { method: 'POST', body });
  return say(deps.stdout, given, rule, `Created rule ${rule.id}\n`);
}

async function test(deps: CliDeps, given: Given, positionals: readonly string[]): Promise<number> {
  const body = ruleIn(deps, given, positionals);
  warnOf(deps, body);
  const tried = await apiOf(deps, given).ask(RuleTest, '/api/rules/test', { method: 'POST', body });
  return say(deps.stdout, given, tried, printable(testText(body.behavior, tried)));
}

/** Said before anything is sent, and not mixed with the output. */
function warnOf(deps: CliDeps, body: object): void {
  const rule = RuleBody.safeParse(body);
  const gives = rule.success ? breadthOf(rule.data) : undefined;
  if (gives !== undefined) deps.stderr.write(`What this gives away: ${printable(gives)}\n`);
}

async function revoke(deps: CliDeps, given: Given, [id]: readonly string[]): Promise<number> {
  if (id === undefined) throw new UsageProblem('name a rule; "signalbox rules" lists them');
  const answer = await apiOf(deps, given).ask(CommandAnswer, `/api/rules/${encodeURIComponent(id)}`, { method: 'DELETE' });
  return say(deps.stdout, given, answer, `Revoked rule ${id}\n`);
}

function say(stdout: Output, given: Given, answer: object, text: string): number {
  stdout.write(given.json === true ? `${safeJson(answer)}\n` : text);
  return EXIT.ok;
}

function ruleIn(deps: CliDeps, given: Given, [behavior, tool]: readonly string[]) {
  if (behavior !== 'allow' && behavior !== 'deny') throw new UsageProblem('start the rule with allow or deny');
  if (tool === undefined) throw new UsageProblem('name a tool, such as Bash or Write');
  const pattern = { command: textOf(given, 'command'), path: textOf(given, 'path'), host: textOf(given, 'host') };
  return { behavior, tool, ...pattern, scope: scopeIn(deps, given), agent: textOf(given, 'agent'), note: textOf(given, 'note') } as const;
}

/** The scope of a rule is never guessed. */
function scopeIn(deps: CliDeps, given: Given) {
  const [session, project] = [textOf(given, 'session'), textOf(given, 'project')];
  const scopes = [
    ...(session === undefined ? [] : [{ kind: 'session', sessionId: session }]),
    ...(project === undefined ? [] : [{ kind: 'project', folder: resolve(deps.cwd, project) }]),
    ...(given.everywhere === true ? [{ kind: 'everywhere' }] : []),
  ];
  if (scopes.length !== 1) throw new UsageProblem('give the rule one scope: --session ID, --project DIR or --everywhere');
  return scopes[0];
}
