import type { RuleBody, RuleTest } from '../../protocol/rule.ts';
import { describeCall } from './describe.ts';
import { type Call, judgeBy } from './judge.ts';
import { type RealPath, understand } from './match.ts';
import { lexical } from './paths.ts';
import { asRule } from './probe.ts';
import { isRisky } from './risk.ts';

/** A tool call that was made once. */
export interface PastCall extends Call {
  readonly seq: number;
  readonly at: string;
  /** Whether somebody had to be asked. */
  readonly asked: boolean;
  readonly outcome?: string;
}

type Example = RuleTest['examples'][number];

const MOST_EXAMPLES = 20;
/** A line in a list; the whole call is one click away. */
const MOST_WORDS = 300;

/** What a rule, by itself, would have decided about the calls of the past. */
export function tryRule(body: RuleBody, calls: Iterable<PastCall>, real: RealPath = lexical): RuleTest {
  const judge = judgeBy([asRule(body)], real);
  const count = { calls: 0, matched: 0, asked: 0, matchedAsked: 0, notUnderstood: 0 };
  const risky: Example[] = [];
  const tame: Example[] = [];
  for (const call of calls) {
    const isMatch = judge(call) !== undefined;
    count.calls += 1;
    if (call.asked) count.asked += 1;
    if (isMatch) count.matched += 1;
    if (isMatch && call.asked) count.matchedAsked += 1;
    if (call.subject.kind === 'command' && understand(call.subject.command).problem !== undefined) count.notUnderstood += 1;
    if (isMatch) keep(call, risky, tame);
  }
  return { ...count, examples: [...risky, ...tame].slice(0, MOST_EXAMPLES) };
}

/** The first ones of each kind; whatever comes later is counted only. */
function keep(call: PastCall, risky: Example[], tame: Example[]): void {
  if (risky.length >= MOST_EXAMPLES) return;
  const isDangerous = isRisky(call);
  const kept = isDangerous ? risky : tame;
  if (kept.length >= MOST_EXAMPLES) return;
  const { sessionId, seq, at, tool, outcome } = call;
  kept.push({ sessionId, seq, at, tool, words: describeCall(call).slice(0, MOST_WORDS), isRisky: isDangerous, ...(outcome !== undefined && { outcome }) });
}
