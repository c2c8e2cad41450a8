import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { Rule } from '../../protocol/rule.ts';
import type { Subject } from '../../protocol/subject.ts';
import { isGuarded } from './guard.ts';
import {
  allowsOne,
  allowsOther,
  allowsPath,
  allowsWhole,
  canApplyTo,
  denies,
  type PreparedRule,
  pathsOf,
  prepareRules,
  type RealPath,
  understand,
} from './match.ts';
import type { Place } from './shell/place.ts';
import { reachedBy } from './shell/reachable-commands.ts';

/** A tool call as rules see it. */
export interface Call {
  readonly agent: AgentId;
  readonly sessionId: SessionId;
  /** The real path of the session's folder. */
  readonly cwd: string;
  readonly tool: string;
  readonly subject: Subject;
}

/** What the active rules decide about a call; undefined if a person must be asked. */
export type Judgement = { readonly behavior: 'allow' | 'deny'; readonly rules: readonly [Rule, ...Rule[]] };

export type Judge = (call: Call) => Judgement | undefined;

/**
 * Any deny wins over every allow. The oldest rules come first, so that the same rules always give the same author.
 * No allow rule covers the `guarded` folders (Signalbox's own data) or the commands that answer requests and create rules.
 */
export function judgeBy(rules: readonly Rule[], real: RealPath, guarded: readonly string[] = []): Judge {
  const prepared = prepareRules(rules.toSorted(byAge));
  const denying = prepared.filter(({ rule }) => rule.behavior === 'deny');
  const allowing = prepared.filter(({ rule }) => rule.behavior === 'allow');
  return (call) => {
    const [first, ...others] = denying.length === 0 ? [] : rulesDenying(call, denying, real);
    if (first !== undefined) return { behavior: 'deny', rules: [first, ...others] };
    return allowing.length === 0 || isGuarded(call, guarded, real) ? undefined : allowed(call, allowing, real);
  };
}

function rulesDenying(call: Call, denying: readonly PreparedRule[], real: RealPath): readonly Rule[] {
  const reached = call.subject.kind === 'command' ? [...reachedBy(call.subject.command)] : [];
  return denying.filter((one) => denies(one, call, reached, real)).map(({ rule }) => rule);
}

function byAge(a: Rule, b: Rule): number {
  return compare(a.createdAt, b.createdAt) || compare(a.id, b.id);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function allowed(call: Call, allowing: readonly PreparedRule[], real: RealPath): Judgement | undefined {
  const open = allowing.filter((one) => canApplyTo(one, call, real));
  const [first, ...others] = new Set(open.length === 0 ? [] : rulesAllowing(call, open, real));
  return first === undefined ? undefined : { behavior: 'allow', rules: [first, ...others] };
}

/** The rules that together allow every part of a call; empty if a part is not covered. */
function rulesAllowing(call: Call, open: readonly PreparedRule[], real: RealPath): readonly Rule[] {
  const { subject, cwd } = call;
  switch (subject.kind) {
    case 'command':
      return rulesAllowingLine(subject.command, open, { folder: cwd, cwd: real(subject.cwd ?? cwd, cwd), real });
    case 'read':
    case 'edit':
      return forEach(pathsOf(subject), (path) => open.find(({ pattern }) => allowsPath(pattern, real(path, cwd), cwd)));
    case 'web':
    case 'mcp':
    case 'other':
      return forEach([subject], () => open.find(({ pattern }) => allowsOther(pattern, subject)));
  }
}

function rulesAllowingLine(text: string, open: readonly PreparedRule[], place: Place): readonly Rule[] {
  const line = understand(text);
  if (line.problem !== undefined) return [];
  const whole = open.find(({ pattern }) => allowsWhole(pattern, line, { place }));
  if (whole !== undefined) return [whole.rule];
  return forEach(line.commands, (command) => open.find(({ pattern }) => allowsOne(pattern, command, { place })));
}

function forEach<T>(parts: readonly T[], find: (part: T) => PreparedRule | undefined): readonly Rule[] {
  const found = parts.map(find).filter((one) => one !== undefined);
  return found.length === parts.length ? found.map(({ rule }) => rule) : [];
}
