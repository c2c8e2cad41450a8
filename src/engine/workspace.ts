import { auditOfHouse } from '../domain/audit/audit.ts';
import { type Judge, judgeBy } from '../domain/policy/judge.ts';
import { type Closed, decideHouse, emptyHouse, evolveHouse, type HouseState } from '../domain/policy/workspace.ts';
import { type Actor, SYSTEM } from '../protocol/actor.ts';
import { type HouseCommand, isRefusal, type Receipt, type Refusal } from '../protocol/command.ts';
import { type EventBody, HOUSE } from '../protocol/event.ts';
import type { RuleInUse } from '../protocol/rule.ts';
import type { EngineDeps } from './deps.ts';
import { realPath } from './rules/real-path.ts';

const PAGE = 1000;

/** What belongs to no session, in this process: its state, and the only door through which anything happens to it. */
export class House {
  state: HouseState;
  private judgeNow: Judge;

  constructor(private readonly deps: Pick<EngineDeps, 'journal' | 'now'>) {
    this.state = folded(deps.journal);
    this.judgeNow = judgeBy(this.state.rules, realPath);
  }

  /** What the rules in force say about a call. */
  readonly judge: Judge = (call) => this.judgeNow(call);

  /** Events and a receipt in one transaction, or a refusal. */
  command(command: HouseCommand, actor: Actor, content: string): Receipt | Refusal {
    const { journal, now } = this.deps;
    const at = now().toISOString();
    const events = decideHouse(this.state, command, { at, actor });
    if (isRefusal(events)) return events;
    const receipt = { commandId: command.commandId, sessionId: HOUSE, seq: this.state.seq + 1 };
    const stored = journal.append({
      session: HOUSE,
      after: this.state.seq,
      at,
      events,
      receipt: { ...receipt, content },
      audit: auditOfHouse(this.state.seq, events, at),
    });
    this.state = stored.reduce(evolveHouse, this.state);
    this.judgeNow = judgeBy(this.state.rules, realPath);
    return receipt;
  }

  /** The conversations of a closed session that is about to go stay closed. */
  keepClosed({ ownerId, agentSessionIds }: Closed): void {
    const { journal, now } = this.deps;
    const events: readonly EventBody[] = [{ type: 'conversations.closed', ownerId, agentSessionIds: [...agentSessionIds], actor: SYSTEM }];
    this.state = journal.append({ session: HOUSE, after: this.state.seq, at: now().toISOString(), events }).reduce(evolveHouse, this.state);
  }

  rules(): readonly RuleInUse[] {
    const used = this.deps.journal.ruleUses();
    return this.state.rules.map((rule) => ({ ...rule, uses: 0, ...used.get(rule.id) }));
  }
}

function folded(journal: EngineDeps['journal']): HouseState {
  let state = emptyHouse;
  for (;;) {
    const events = journal.after(HOUSE, state.seq, PAGE);
    state = events.reduce(evolveHouse, state);
    if (events.length < PAGE) return state;
  }
}
