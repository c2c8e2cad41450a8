import type { Adapter } from '../../agents/adapter.ts';
import type { DecisionContext, DraftedEvent } from '../../domain/session/draft.ts';
import { evolve } from '../../domain/session/evolve.ts';
import { decideExit } from '../../domain/session/exit.ts';
import { newSessionState, type SessionState } from '../../domain/session/state.ts';
import { numbered } from '../../journal/numbered.ts';
import type { RawLine, RawRun } from '../../journal/rebuild/raw-runs.ts';
import type { Refold, RefoldContext, Refolded } from '../../journal/rebuild/rebuild.ts';
import { HUMAN_EVENTS } from '../../protocol/event.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';
import { ingest } from './ingest.ts';
import { MirroredPast } from './mirrored-events.ts';
import { freshRow, RunReader } from './run-reader.ts';

/** Makes of the runs' raw output the events it had been made into, with the same adapters and the same rules as when they were live. */
export function refoldWith(adapters: ReadonlyMap<AgentId, Adapter>): Refold {
  return (context) => {
    const session = new SessionRefold(context);
    return async (raw, lines) => {
      const agent = session.past.agent();
      const adapter = agent === undefined ? undefined : adapters.get(agent);
      if (adapter === undefined) throw new Error(`This version does not know the agent ${agent}`);
      return session.refold(raw, lines, adapter);
    };
  };
}

/** The state of the session goes through its runs as it did: what the mirror tells is folded in where it happened. */
class SessionRefold {
  readonly past: MirroredPast;
  private state: SessionState;

  constructor(private readonly context: RefoldContext) {
    this.past = new MirroredPast(context.mirrored);
    this.state = newSessionState(context.session);
  }

  async refold(raw: RawRun, lines: AsyncIterable<RawLine>, adapter: Adapter): Promise<Refolded> {
    const reader = new RunReader(adapter, freshRow({ sessionId: raw.session, run: raw.run }, adapter));
    this.begin(raw.run);
    const events = await this.readLines(reader, lines);
    this.state = this.past.untilNextRun(this.state);
    const { outByte, adapterVersion, foldState } = reader.rowNow(0);
    const open = this.isLeftOpen(raw);
    return { outByte, adapterVersion, foldState, open, events, end: open || this.past.hasExit(raw.run) ? [] : this.conclude(raw, adapter) };
  }

  private begin(run: RunId): void {
    this.state = this.past.enter(this.state, run);
    if (this.state.run.phase === 'none' || this.state.run.run !== run) this.state = { ...this.state, run: { phase: 'opened', run } };
  }

  private async readLines(reader: RunReader, lines: AsyncIterable<RawLine>): Promise<readonly DraftedEvent[]> {
    const { run } = reader.ref;
    const blobs = { putBlob: this.context.putBlob, blob: () => undefined };
    const isLost = this.past.lostLines(run);
    const events: DraftedEvent[] = [];
    for await (const { line, byte } of lines) {
      this.state = this.past.before(this.state, { run, byte });
      const endByte = byte + Buffer.byteLength(line) + 1;
      if (isLost(byte)) reader.skipTo(endByte);
      else events.push(...this.kept(ingest(reader, this.state, { lines: [line], startBytes: [byte], endByte }, () => decisionContext(reader.adapter), blobs)));
    }
    return events;
  }

  /** What of a decision is not in the mirror, folded. */
  private kept({ decision }: Pick<ReturnType<typeof ingest>, 'decision'>): readonly DraftedEvent[] {
    const kept = (decision?.events ?? []).flatMap((event): readonly DraftedEvent[] => {
      if (HUMAN_EVENTS.has(event.type)) return [];
      if (event.type !== 'session.status') return [event];
      const { causeSeq: _, ...status } = event;
      return this.past.hasStatus() ? [] : [status];
    });
    for (const event of kept) this.state = evolve(this.state, numbered(event, this.state.seq + 1, ''));
    return kept;
  }

  /** Its end is not in the journal that was, as far as anybody knows: the next server finds it and concludes it, with all that it can learn then. */
  private isLeftOpen(raw: RawRun): boolean {
    return !this.past.hasExit(raw.run) && !raw.isPutAway && this.past.isLastRun();
  }

  /** Mirrors of older versions do not tell how a run ended. */
  private conclude(raw: RawRun, adapter: Adapter): readonly DraftedEvent[] {
    const exit = { run: raw.run, code: raw.exit?.code ?? null, signal: null, memory: 'unknown' } as const;
    return this.kept({ decision: decideExit(this.state, exit, decisionContext(adapter)) });
  }
}

function decisionContext(adapter: Adapter): DecisionContext {
  return {
    at: '',
    late: true,
    freshRun: 'none' as RunId,
    freshAgentSessionId: '',
    hasFreeSlot: false,
    hasDiskSpace: true,
    inputId: (commandId) => adapter.inputId(commandId),
    inputAfterReady: () => adapter.inputAfterReady ?? false,
    can: adapter.capabilities,
    mayBypass: false,
    // What rules decided then is in the mirror; today's have no say about it.
    judge: () => undefined,
    subjectOf: (tool, input) => adapter.subjectOf(tool, input),
  };
}
