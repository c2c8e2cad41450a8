import type { Event } from '../../protocol/event.ts';
import type { Session } from '../../protocol/session.ts';
import { readEvents } from '../http/read-events.ts';
import type { Services } from '../http/route.ts';

export type SideSources = Pick<Services, 'engine' | 'library'>;

/** Something made from all events of a session, in their order. */
export interface SideFold {
  readonly seq: number;
  add(event: Event): void;
}

export interface FoldMaker<F extends SideFold> {
  make(session: Session): F;
  /** Brings up what these events name, before they are added. */
  prepare?(from: SideSources, fold: F, events: readonly Event[]): Promise<void>;
}

/** Those looked at last; whoever comes back to another has it read again. */
const KEPT = 8;

interface Kept<F> {
  readonly fold: F;
  /** The questions before this one. */
  tail: Promise<unknown>;
}

/** Folds of whole sessions, of which only what came since the last question is read. */
export class FoldReader<F extends SideFold> {
  readonly #kept = new Map<string, Kept<F>>();

  constructor(private readonly maker: FoldMaker<F>) {}

  read<T>(from: SideSources, session: Session, answer: (fold: F) => T): Promise<T> {
    const kept = this.#keptOf(session);
    const done = kept.tail.then(() => this.#catchUp(from, session, kept.fold)).then(() => answer(kept.fold));
    kept.tail = done.catch(() => undefined);
    return done;
  }

  /** The way through a conversation with several may turn: what was read is then not what it goes on from. */
  #keptOf(session: Session): Kept<F> {
    const key = `${session.id} ${session.createdAt}`;
    const isSteady = (session.past?.branches ?? 1) < 2;
    const kept = (isSteady ? this.#kept.get(key) : undefined) ?? { fold: this.maker.make(session), tail: Promise.resolve() };
    this.#kept.delete(key);
    if (isSteady) this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  async #catchUp(from: SideSources, session: Session, fold: F): Promise<void> {
    if (fold.seq >= session.lastSeq) return;
    for await (const events of readEvents(from, session, fold.seq)) {
      await this.maker.prepare?.(from, fold, events);
      for (const event of events) fold.add(event);
    }
  }
}
