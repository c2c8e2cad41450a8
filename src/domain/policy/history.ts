import type { RuleBody, RuleTest } from '../../protocol/rule.ts';
import { describeCall } from './describe.ts';
import { type Call, judgeBy } from './judge.ts';
import { type RealPath, understand } from './match.ts';
import { isRisky } from './risk.ts';
import { lexical } from './shell/paths.ts';
import { asRule } from './unsaved-rule.ts';

/** A past tool call. */
export interface PastCall extends Call {
  readonly seq: number;
  readonly at: string;
  /** Whether somebody had to be asked. */
  readonly asked: boolean;
  readonly outcome?: string;
}

type Example = RuleTest['examples'][number];

const MOST_EXAMPLES = 20;
/** Enough for one line in a list; the full call is one click away. */
const MOST_WORDS = 300;

/** What a rule on its own would have decided about past calls. */
export function tryRule(body: RuleBody, calls: Iterable<PastCall>, real: RealPath = lexical, guarded: readonly string[] = []): RuleTest {
  const judge = judgeBy([asRule(body)], real, guarded);
  const count = { calls: 0, matched: 0, asked: 0, matchedAsked: 0, notUnderstood: 0 };
  const risky: Example[] = [];
  const harmless: Example[] = [];
  for (const call of calls) {
    const isMatch = judge(call) !== undefined;
    count.calls += 1;
    if (call.asked) count.asked += 1;
    if (isMatch) count.matched += 1;
    if (isMatch && call.asked) count.matchedAsked += 1;
    if (call.subject.kind === 'command' && understand(call.subject.command).problem !== undefined) count.notUnderstood += 1;
    if (isMatch) keep(call, risky, harmless);
  }
  return { ...count, examples: [...risky, ...harmless].slice(0, MOST_EXAMPLES) };
}

/** Keeps the first of each kind; later ones are only counted. */
function keep(call: PastCall, risky: Example[], harmless: Example[]): void {
  if (risky.length >= MOST_EXAMPLES) return;
  const isDangerous = isRisky(call);
  const kept = isDangerous ? risky : harmless;
  if (kept.length >= MOST_EXAMPLES) return;
  const { sessionId, seq, at, tool, outcome } = call;
  kept.push({ sessionId, seq, at, tool, words: describeCall(call).slice(0, MOST_WORDS), isRisky: isDangerous, ...(outcome !== undefined && { outcome }) });
}
