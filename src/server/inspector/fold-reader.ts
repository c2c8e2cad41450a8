import type { Event } from '../../protocol/event.ts';
import type { Session } from '../../protocol/session.ts';
import { readEvents } from '../http/read-events.ts';
import type { Services } from '../http/route.ts';

export type InspectorSources = Pick<Services, 'engine' | 'sessionIndex'>;

/** Something computed from all events of a session, in order. */
export interface SessionFold {
  readonly seq: number;
  add(event: Event): void;
}

export interface FoldMaker<F extends SessionFold> {
  make(session: Session): F;
  /** Loads what these events refer to, before they are added. */
  prepare?(from: InspectorSources, fold: F, events: readonly Event[]): Promise<void>;
}

/** The most recently used folds; any other is read again. */
const KEPT = 8;

interface Kept<F> {
  readonly fold: F;
  /** Resolves when earlier reads are done. */
  tail: Promise<unknown>;
}

/** Folds of whole sessions; each read adds only the events since the last one. */
export class FoldReader<F extends SessionFold> {
  readonly #kept = new Map<string, Kept<F>>();

  constructor(
    private readonly maker: FoldMaker<F>,
    private readonly most = KEPT,
  ) {}

  read<T>(from: InspectorSources, session: Session, answer: (fold: F) => T): Promise<T> {
    const kept = this.#keptOf(session);
    const done = kept.tail.then(() => this.#catchUp(from, session, kept.fold)).then(() => answer(kept.fold));
    kept.tail = done.catch(() => undefined);
    return done;
  }

  /** With several branches the conversation can switch to another one, and what was read before no longer leads to its end. Such a fold isn't kept. */
  #keptOf(session: Session): Kept<F> {
    const key = `${session.id} ${session.createdAt}`;
    const isSteady = (session.past?.branches ?? 1) < 2;
    const kept = (isSteady ? this.#kept.get(key) : undefined) ?? { fold: this.maker.make(session), tail: Promise.resolve() };
    this.#kept.delete(key);
    if (isSteady) this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.most && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  async #catchUp(from: InspectorSources, session: Session, fold: F): Promise<void> {
    if (fold.seq >= session.lastSeq) return;
    for await (const events of readEvents(from, session, fold.seq)) {
      await this.maker.prepare?.(from, fold, events);
      for (const event of events) fold.add(event);
    }
  }
}
