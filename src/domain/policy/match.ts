import type { Rule, RuleBody } from '../../protocol/rule.ts';
import type { Subject } from '../../protocol/subject.ts';
import { allowsCommand, allowsLine, deniesAny } from './command-pattern.ts';
import { matchesHost, touchesHost } from './host-pattern.ts';
import type { Call } from './judge.ts';
import { matchesPath, type PathPattern, touchesPath } from './path-pattern.ts';
import { type Pattern, readPattern } from './pattern.ts';
import type { Known } from './shell/arguments.ts';
import { isHarmless } from './shell/harmless.ts';
import type { Command, Line } from './shell/line.ts';
import { hiddenIn } from './shell/obstacle.ts';
import { parse } from './shell/parse.ts';
import { isWithin, lexical } from './shell/paths.ts';
import type { Reached } from './shell/reachable-commands.ts';

/** Resolves a path, following links. */
export type RealPath = (path: string, cwd: string) => string;

/** A rule with its parsed pattern. */
export interface PreparedRule<R extends RuleBody = Rule> {
  readonly rule: R;
  readonly pattern: Pattern;
}

/** The rules with a valid pattern. A rule with an invalid one could not have been created, and decides nothing. */
export function prepareRules<R extends RuleBody>(rules: readonly R[]): PreparedRule<R>[] {
  return rules.flatMap((rule) => {
    const pattern = readPattern(rule);
    return typeof pattern === 'string' ? [] : [{ rule, pattern }];
  });
}

/** A command line, with the reasons why no allow rule can cover it. */
export function understand(text: string): Line {
  const line = parse(text);
  return { ...line, problem: line.problem ?? line.commands.map(hiddenIn).find((why) => why !== undefined) };
}

/** Whether a rule denies a call: a single command that it could run, or a single file, is enough. */
export function denies({ rule, pattern }: PreparedRule<RuleBody>, call: Call, reached: readonly Reached[], real: RealPath): boolean {
  const { subject } = call;
  if (!isForCall(rule, call) || !foldersOf(call, real).some((folder) => isInScope(rule, call, folder))) return false;
  switch (pattern.kind) {
    case 'tool':
      return true;
    case 'command':
      return deniesAny(pattern.pattern, reached);
    case 'path':
      return pathsOf(subject).some((path) => [real(path, call.cwd), lexical(path, call.cwd)].some((whole) => touchesPath(pattern.pattern, whole, call.cwd)));
    case 'host':
      return subject.kind === 'web' && subject.url !== undefined && touchesHost(pattern.pattern, subject.url);
  }
}

/** Whether a rule can allow a call, judged only by tool, agent and scope. */
export function canApplyTo({ rule }: PreparedRule<RuleBody>, call: Call, real: RealPath): boolean {
  return isForCall(rule, call) && foldersOf(call, real).every((folder) => isInScope(rule, call, folder));
}

/** Whether a single pattern allows a whole line. */
export function allowsWhole(pattern: Pattern, line: Line, known: Known): boolean {
  return pattern.kind === 'command' && line.problem === undefined && allowsLine(pattern.pattern, line, known);
}

/** Whether a pattern allows one command of a line that is understood. A rule for every call names no program, so it covers only harmless ones. */
export function allowsOne(pattern: Pattern, command: Command, known: Known): boolean {
  if (pattern.kind === 'tool') return isHarmless(command, known);
  return pattern.kind === 'command' && allowsCommand(pattern.pattern, command, known);
}

/** A rule for every call names no file, so it covers what `**` covers: the session's folder, without hidden names. */
export function allowsPath(pattern: Pattern, path: string, cwd: string): boolean {
  if (pattern.kind === 'tool') return matchesPath(ANY_PATH, path, cwd);
  return pattern.kind === 'path' && matchesPath(pattern.pattern, path, cwd);
}

const ANY_PATH: PathPattern = { isAbsolute: false, parts: ['**'] };

/** For calls that are neither commands nor file access. */
export function allowsOther(pattern: Pattern, subject: Subject): boolean {
  if (pattern.kind === 'tool') return true;
  return pattern.kind === 'host' && subject.kind === 'web' && subject.url !== undefined && matchesHost(pattern.pattern, subject.url);
}

export const pathsOf = (subject: Subject): readonly string[] => (subject.kind === 'read' || subject.kind === 'edit' ? subject.paths : []);

function isForCall({ tool, agent }: RuleBody, call: Call): boolean {
  const isTool = tool.endsWith('*') ? call.tool.startsWith(tool.slice(0, -1)) : call.tool === tool;
  return isTool && (agent === undefined || agent === call.agent);
}

/** A command can run in a different folder than its session: both count. */
function foldersOf({ cwd, subject }: Call, real: RealPath): string[] {
  return subject.kind === 'command' && subject.cwd !== undefined ? [cwd, real(subject.cwd, cwd)] : [cwd];
}

function isInScope({ scope }: RuleBody, { sessionId }: Call, folder: string): boolean {
  switch (scope.kind) {
    case 'session':
      return scope.sessionId === sessionId;
    case 'project':
      return isWithin(folder, scope.folder);
    case 'everywhere':
      return true;
  }
}
