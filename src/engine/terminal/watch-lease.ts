import { LEASE_MS, lentIn, takeBack } from '../../domain/queue/lease.ts';
import { conversationOf } from '../../domain/session/driver.ts';
import { RETRY_MS } from '../../problems/problems.ts';
import { mergeRecord } from '../continue/merge-record.ts';
import type { SessionActor } from '../loop/session-actor.ts';

const CONFIRM = 'find out whether a message has arrived';

/** The timer of a message that is lent to another program; it follows from the state, so a restart sets it again. */
export class LeaseWatch {
  private timer: NodeJS.Timeout | undefined;
  private watched: string | undefined;

  constructor(private readonly session: SessionActor) {}

  follow(): void {
    const lent = lentIn(this.session.state);
    const key = lent && `${lent.commandId} ${lent.leasedAt}`;
    if (key === this.watched) return;
    this.close();
    this.watched = key;
    if (lent === undefined) return;
    const { deps } = this.session.context;
    this.in(Math.max(0, Date.parse(lent.leasedAt ?? '') + (deps.settings.leaseMs ?? LEASE_MS) - deps.now().getTime()) || 0);
  }

  close(): void {
    clearTimeout(this.timer);
    this.watched = undefined;
  }

  private in(ms: number): void {
    this.timer = this.session.context.deps.problems.after(CONFIRM, ms, () => this.session.work(() => this.settle())).unref();
  }

  /** The agent's record decides: a message that it has is not offered again. */
  private async settle(): Promise<void> {
    const { session } = this;
    const { problems } = session.context.deps;
    const lent = lentIn(session.state);
    if (lent === undefined || session.context.closing || `${lent.commandId} ${lent.leasedAt}` !== this.watched) return;
    try {
      const conversation = conversationOf(session.state);
      if (conversation !== null) await mergeRecord(session, conversation, () => session.state.run.phase === 'none');
      session.noteIfAny((draft) => takeBack(draft, lent));
      problems.worked(CONFIRM, session.state.id);
    } catch (error) {
      problems.failed(CONFIRM, error, session.state.id);
      this.in(RETRY_MS);
    }
  }
}
