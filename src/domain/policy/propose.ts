import type { RuleBody, RulePattern } from '../../protocol/rule.ts';
import { givesAway } from './breadth.ts';
import { describePattern } from './describe.ts';
import { isGuarded } from './guard.ts';
import { addressOf, hostOf } from './host-pattern.ts';
import { type Call, judgeBy } from './judge.ts';
import { pathsOf, type RealPath, understand } from './match.ts';
import { checkPattern } from './pattern.ts';
import { isRisky } from './risk.ts';
import type { Command, Join } from './shell/line.ts';
import { isWithin, lexical } from './shell/paths.ts';
import { typed } from './shell/quote.ts';
import { asRule } from './unsaved-rule.ts';

/** A pattern that a person can choose, with its description. */
export interface Proposal {
  readonly pattern: RulePattern;
  readonly words: string;
  /** What it gives away, if it is broader than the call. */
  readonly gives?: string;
}

/** Patterns that would have allowed a call, the narrowest first; or why there is none. */
export type Proposals = { readonly proposals: readonly [Proposal, ...Proposal[]] } | { readonly cannot: string; readonly guarded?: true };

export function propose(call: Call, real: RealPath = lexical, guarded: readonly string[] = []): Proposals {
  if (isGuarded(call, guarded, real))
    return { cannot: 'No rule can allow this: it uses Signalbox’s own data, or its commands that decide for you.', guarded: true };
  const problem = call.subject.kind === 'command' ? understand(call.subject.command).problem : undefined;
  if (problem !== undefined) return { cannot: `No rule can allow this command: ${problem}.` };
  const fitting = patternsFor(call, real).filter((pattern) => isUsable(pattern, call, real));
  const [first, ...others] = fitting.map(proposalOf);
  return first === undefined ? { cannot: 'No rule can match just this call.' } : { proposals: [first, ...others] };
}

function proposalOf(pattern: RulePattern): Proposal {
  const gives = givesAway(pattern);
  return { pattern, words: describePattern(pattern), ...(gives !== undefined && { gives }) };
}

/** Only patterns that are valid and would have allowed this call are offered. */
function isUsable(pattern: RulePattern, call: Call, real: RealPath): boolean {
  const body: RuleBody = { behavior: 'allow', ...pattern, scope: { kind: 'everywhere' } };
  return checkPattern(body) === undefined && judgeBy([asRule(body)], real)(call) !== undefined;
}

function patternsFor(call: Call, real: RealPath): RulePattern[] {
  const { tool, subject } = call;
  switch (subject.kind) {
    case 'command':
      return commandsFor(call, subject.command).map((command) => ({ tool, command }));
    case 'read':
    case 'edit':
      return pathsFor(call, real).map((path) => ({ tool, path }));
    case 'web':
      return subject.url === undefined ? [{ tool }] : hostsFor(subject.url).map((host) => ({ tool, host }));
    case 'mcp':
    case 'other':
      return [{ tool }];
  }
}

/** The exact words; then, for a single command that looks harmless, everything that starts the same way. */
function commandsFor(call: Call, text: string): string[] {
  const { commands, joins } = understand(text);
  const isNamed = commands.every((command) => command.every(({ live }) => live.length === 0) || READERS.has(command[0].text));
  const exact = commands.map(exactly).reduce((line, next, at) => `${line}${JOINED[joins[at - 1] ?? ';']}${next}`);
  const [only, ...more] = commands;
  const others = only === undefined || more.length > 0 || isRisky(call) ? [] : wider(only);
  return [...new Set([...(isNamed ? [exact] : []), ...others])];
}

const JOINED: Readonly<Record<Join, string>> = { '&&': ' && ', '||': ' || ', ';': '; ', '|': ' | ' };

/** Only a wildcard can match a word that the shell would still expand, so this works only for programs that just read. */
function exactly([name, ...others]: Command): string {
  const words = others.map((word) => (word.live.length === 0 ? typed([word.text]) : '*'));
  return [typed([name.text]), ...words].join(' ');
}

/** Where a wildcard can follow: `npm run test x` can become `npm run test *` and `npm run *`, but never `npm *`. */
function wider([name, ...others]: Command): string[] {
  const program = name.text;
  if (READERS.has(program)) return [`${program} *`];
  const firm = others.findIndex(({ text, live }) => live.length > 0 || !/^[a-z][\w:.-]*$/.test(text));
  const words = others.slice(0, firm < 0 ? undefined : firm).map(({ text }) => text);
  const depths = (SUBCOMMANDS.get(program) ?? []).filter((depth) => depth <= words.length);
  return depths.map((depth) => `${typed([program, ...words.slice(0, depth)])} *`);
}

/** Programs that just read, so a wildcard for all their arguments can be offered. */
const READERS = new Set(['ls', 'cat', 'head', 'tail', 'wc', 'grep', 'rg', 'which', 'stat', 'du', 'df', 'file', 'tree', 'find', 'diff', 'echo']);

/** Programs whose first words say what they do, and how many of these words are kept. */
const SUBCOMMANDS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ['git', [1]],
  ['cargo', [1]],
  ['go', [1]],
  ['docker', [1]],
  ['podman', [1]],
  ['pip', [1]],
  ['npm', [2, 1]],
  ['pnpm', [2, 1]],
  ['yarn', [2, 1]],
  ['gh', [2]],
]);

function pathsFor({ subject, cwd }: Call, real: RealPath): string[] {
  const paths = pathsOf(subject).map((path) => real(path, cwd));
  const [first, ...more] = paths;
  if (first === undefined) return [];
  const inside = isWithin(first, cwd) && first !== cwd;
  const exact = inside ? first.slice(cwd.length + 1) : first;
  const folders = inside ? [folderOf(exact), '**'] : [];
  return [...new Set([...(more.length > 0 || exact.includes('*') ? [] : [exact]), ...folders.filter((path) => path !== undefined)])];
}

/** All files in the same folder and below. */
function folderOf(path: string): string | undefined {
  const cut = path.lastIndexOf('/');
  return cut <= 0 || path.slice(0, cut).includes('*') ? undefined : `${path.slice(0, cut)}/**`;
}

function hostsFor(address: string): string[] {
  const url = addressOf(address);
  return url === undefined ? [] : [url.port === '' ? hostOf(url) : `${hostOf(url)}:${url.port}`];
}
