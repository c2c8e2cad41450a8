import { auditOfStream } from '../domain/audit/audit.ts';
import { storeLong } from '../domain/long-content.ts';
import { type Judge, judgeBy } from '../domain/policy/judge.ts';
import { type Closed, decideWorkspace, emptyWorkspace, evolveWorkspace, type KnownReview, type WorkspaceState } from '../domain/policy/workspace.ts';
import { type Actor, SYSTEM } from '../protocol/actor.ts';
import type { ReviewId } from '../protocol/annotation.ts';
import { isRefusal, type Receipt, type Refusal, type WorkspaceCommand } from '../protocol/command.ts';
import { type EventBody, type EventBodyOf, WORKSPACE } from '../protocol/event.ts';
import type { RuleInUse } from '../protocol/rule.ts';
import type { EngineDeps } from './loop/engine-deps.ts';
import { blobsOf } from './loop/store-blobs.ts';
import { guardedFolders } from './rules/guarded-folders.ts';
import { realPath } from './rules/real-path.ts';

const PAGE = 1000;

/** State that belongs to no session. Every change of it goes through this class. */
export class Workspace {
  state: WorkspaceState;
  private judgeNow: Judge;

  constructor(private readonly deps: Pick<EngineDeps, 'journal' | 'now' | 'settings'>) {
    this.state = folded(deps.journal);
    this.judgeNow = judgeBy(this.state.rules, realPath, guardedFolders(deps));
  }

  /** What the active rules decide about a call. */
  readonly judge: Judge = (call) => this.judgeNow(call);

  /** Events and a receipt in one transaction, or a refusal. */
  command(command: WorkspaceCommand, actor: Actor, content: string): Receipt | Refusal {
    const { journal, now } = this.deps;
    const at = now().toISOString();
    const decided = decideWorkspace(this.state, command, { at, actor });
    if (isRefusal(decided)) return decided;
    const events = decided.map((event) => storeLong(blobsOf(journal), event));
    const receipt = { commandId: command.commandId, sessionId: WORKSPACE, seq: this.state.seq + 1 };
    const stored = journal.append({
      session: WORKSPACE,
      after: this.state.seq,
      at,
      events,
      receipt: { ...receipt, content },
      audit: auditOfStream(WORKSPACE, this.state.seq, events, at),
    });
    this.state = stored.reduce(evolveWorkspace, this.state);
    this.judgeNow = judgeBy(this.state.rules, realPath, guardedFolders(this.deps));
    return receipt;
  }

  /** Keeps the conversations of a private session private after it is deleted. */
  keepPrivate({ ownerId, agentSessionIds }: Closed): void {
    this.append([{ type: 'conversations.closed', ownerId, agentSessionIds: [...agentSessionIds], actor: SYSTEM }]);
  }

  /** Every command of the task has been answered. */
  endTask(taskId: string, refused: Readonly<EventBodyOf<'background.ended'>['refused']>): void {
    this.append([{ type: 'background.ended', taskId, refused: [...refused], actor: SYSTEM }]);
  }

  private append(events: readonly EventBody[]): void {
    const { journal, now } = this.deps;
    this.state = journal.append({ session: WORKSPACE, after: this.state.seq, at: now().toISOString(), events }).reduce(evolveWorkspace, this.state);
  }

  /** Who gets a review, and who refused it. */
  review(reviewId: ReviewId): KnownReview | undefined {
    return this.state.reviews[reviewId];
  }

  rules(): readonly RuleInUse[] {
    const used = this.deps.journal.ruleUses();
    return this.state.rules.map((rule) => ({ ...rule, uses: 0, ...used.get(rule.id) }));
  }
}

function folded(journal: EngineDeps['journal']): WorkspaceState {
  let state = emptyWorkspace;
  for (;;) {
    const events = journal.after(WORKSPACE, state.seq, PAGE);
    state = events.reduce(evolveWorkspace, state);
    if (events.length < PAGE) return state;
  }
}
