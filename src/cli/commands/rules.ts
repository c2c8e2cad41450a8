import { resolve } from 'node:path';
import { CommandAnswer, RuleList } from '../../protocol/http.ts';
import { RuleInUse, RuleTest } from '../../protocol/rule.ts';
import { openApi } from '../api.ts';
import { type CliCommand, EXIT, type Flags, type Given, textOf, UsageProblem } from '../command.ts';
import type { CliDeps, Output } from '../deps.ts';
import { harmless } from '../paint.ts';
import { rulesTable, testWords } from '../rules-words.ts';

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
  summary: 'What is allowed or denied without asking: list, try, add, revoke',
  help: `
Usage: signalbox rules [--json]
       signalbox rules add  allow|deny TOOL [pattern] scope [--note TEXT] [--agent ID] [--replaces RULE]
       signalbox rules test allow|deny TOOL [pattern] scope
       signalbox rules revoke RULE

TOOL is the agent's name of it, * at its end for a family. Without a pattern every call of it is meant.

  --command WORDS   a command; * for any one word, at the end for any further ones
  --path PATH       a file or glob (*, **), relative to the session's folder unless it begins with /
  --host NAME       a host; *. before it for its subdomains too

  --session ID      holds in this session only
  --project DIR     holds in this folder and everything in it
  --everywhere      holds in every session

  --note TEXT       why; a deny tells it to the agent
  --replaces RULE   ends that rule in the same moment
  --json            as JSON, a list one object a line

Examples:
  signalbox rules
  signalbox rules test allow Bash --command "git status" --everywhere
  signalbox rules add allow Bash --command "npm test" --project .
  signalbox rules add deny Bash --command "git push *" --everywhere --note "a person pushes"
  signalbox rules revoke 3Yk2
`,
  flags: FLAGS,
  run: async (deps, given, [verb, ...words]) => {
    if (verb === undefined || verb === 'list') return list(deps, given);
    if (verb === 'add') return add(deps, given, words);
    if (verb === 'test') return test(deps, given, words);
    if (verb === 'revoke') return revoke(deps, given, words);
    throw new UsageProblem('say add, test or revoke, or nothing for the list');
  },
};

const apiOf = (deps: CliDeps, given: Given) => openApi(deps, deps.loadConfig({ data: given.data }));

async function list(deps: CliDeps, given: Given): Promise<number> {
  const { rules } = await apiOf(deps, given).ask(RuleList, '/api/rules');
  if (given.json === true) deps.stdout.write(rules.map((rule) => `${JSON.stringify(rule)}\n`).join(''));
  else deps.stdout.write(rules.length === 0 ? 'There are no rules: every request waits for a person.\n' : rulesTable(rules));
  return EXIT.ok;
}

async function add(deps: CliDeps, given: Given, words: readonly string[]): Promise<number> {
  const body = { ...ruleIn(deps, given, words), replaces: textOf(given, 'replaces') };
  const rule = await apiOf(deps, given).ask(RuleInUse, '/api/rules', { method: 'POST', body });
  return say(deps.stdout, given, rule, `Made the rule ${rule.id}\n`);
}

async function test(deps: CliDeps, given: Given, words: readonly string[]): Promise<number> {
  const body = ruleIn(deps, given, words);
  const tried = await apiOf(deps, given).ask(RuleTest, '/api/rules/test', { method: 'POST', body });
  return say(deps.stdout, given, tried, harmless(testWords(body.behavior, tried)));
}

async function revoke(deps: CliDeps, given: Given, [id]: readonly string[]): Promise<number> {
  if (id === undefined) throw new UsageProblem('which rule? signalbox rules lists them');
  const answer = await apiOf(deps, given).ask(CommandAnswer, `/api/rules/${encodeURIComponent(id)}`, { method: 'DELETE' });
  return say(deps.stdout, given, answer, `Revoked ${id}\n`);
}

function say(stdout: Output, given: Given, answer: object, words: string): number {
  stdout.write(given.json === true ? `${JSON.stringify(answer)}\n` : words);
  return EXIT.ok;
}

function ruleIn(deps: CliDeps, given: Given, [behavior, tool]: readonly string[]) {
  if (behavior !== 'allow' && behavior !== 'deny') throw new UsageProblem('a rule says allow or deny');
  if (tool === undefined) throw new UsageProblem('about which tool? Such as Bash or Write');
  const pattern = { command: textOf(given, 'command'), path: textOf(given, 'path'), host: textOf(given, 'host') };
  return { behavior, tool, ...pattern, scope: scopeIn(deps, given), agent: textOf(given, 'agent'), note: textOf(given, 'note') } as const;
}

/** Where a rule holds is never guessed. */
function scopeIn(deps: CliDeps, given: Given) {
  const [session, project] = [textOf(given, 'session'), textOf(given, 'project')];
  const scopes = [
    ...(session === undefined ? [] : [{ kind: 'session', sessionId: session }]),
    ...(project === undefined ? [] : [{ kind: 'project', folder: resolve(deps.cwd, project) }]),
    ...(given.everywhere === true ? [{ kind: 'everywhere' }] : []),
  ];
  if (scopes.length !== 1) throw new UsageProblem('say where it holds: one of --session ID, --project DIR, --everywhere');
  return scopes[0];
}
