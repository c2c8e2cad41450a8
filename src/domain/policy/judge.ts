import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { Rule } from '../../protocol/rule.ts';
import type { Subject } from '../../protocol/subject.ts';

/** A tool call as rules see it. */
export interface Call {
  readonly agent: AgentId;
  readonly sessionId: SessionId;
  /** The real path of the session's folder. */
  readonly cwd: string;
  readonly tool: string;
  readonly subject: Subject;
}

/** What the rules in force say about a call; undefined when a person must be asked. Never empty. */
export type Judgement = { readonly behavior: 'allow' | 'deny'; readonly rules: readonly [Rule, ...Rule[]] };

export type Judge = (call: Call) => Judgement | undefined;
