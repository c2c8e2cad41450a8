import type { Adapter } from '../../agents/port/adapter.ts';
import type { DecisionContext, DraftedEvent } from '../../domain/session/draft.ts';
import { evolve } from '../../domain/session/evolve.ts';
import { decideExit } from '../../domain/session/exit.ts';
import { newSessionState, type SessionState } from '../../domain/session/state.ts';
import { numbered } from '../../journal/number-events.ts';
import type { RawLine, RawRun } from '../../journal/rebuild/raw-runs.ts';
import type { Refold, RefoldContext, Refolded } from '../../journal/rebuild/rebuild.ts';
import { HUMAN_EVENTS } from '../../protocol/event.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';
import { askIdOf } from '../loop/agent-tools.ts';
import { ingest } from '../loop/ingest.ts';
import { freshRow, RunReader } from '../loop/run-reader.ts';
import { MirroredPast } from './mirrored-events.ts';

/** Computes the events of runs from their raw output again, with the same adapters and the same logic as when they were live. */
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

/** Replays a session's state through its runs. The mirror's events are folded in where they happened. */
class SessionRefold {
  readonly past: MirroredPast;
  private state: SessionState;

  constructor(private readonly context: RefoldContext) {
    this.past = new MirroredPast(context.mirrored);
    this.state = newSessionState(context.session);
  }

  async refold(raw: RawRun, lines: AsyncIterable<RawLine>, adapter: Adapter): Promise<Refolded> {
    const reader = new RunReader(adapter, freshRow({ sessionId: raw.session, run: raw.run }, adapter));
    this.enterRun(raw.run);
    const events = await this.readLines(reader, lines);
    this.state = this.past.untilNextRun(this.state);
    const { outByte, adapterVersion, foldState } = reader.rowNow(0);
    const open = this.isLeftOpen(raw);
    return { outByte, adapterVersion, foldState, open, events, end: open || this.past.hasExit(raw.run) ? [] : this.conclude(raw, adapter) };
  }

  private enterRun(run: RunId): void {
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
      else
        events.push(
          ...this.foldNew(
            ingest(
              reader,
              this.state,
              { lines: [line], startBytes: [byte], endByte },
              () => decisionContext(reader.adapter, this.past.hasCheckpoints()),
              blobs,
            ),
          ),
        );
    }
    return events;
  }

  /** Folds the events of a decision that are not in the mirror, and returns them. */
  private foldNew({ decision }: Pick<ReturnType<typeof ingest>, 'decision'>): readonly DraftedEvent[] {
    const added = (decision?.events ?? []).flatMap((event): readonly DraftedEvent[] => {
      if (HUMAN_EVENTS.has(event.type)) return [];
      if (event.type !== 'session.status') return [event];
      const { causeSeq: _, ...status } = event;
      return this.past.hasStatus() ? [] : [status];
    });
    for (const event of added) this.state = evolve(this.state, numbered(event, this.state.seq + 1, ''));
    return added;
  }

  /** The old journal had no end of this run, as far as we know. The next server finds the run and concludes it with everything it knows then. */
  private isLeftOpen(raw: RawRun): boolean {
    return !this.past.hasExit(raw.run) && !raw.isCompressed && this.past.isLastRun();
  }

  /** Mirrors of older versions don't contain how a run ended. */
  private conclude(raw: RawRun, adapter: Adapter): readonly DraftedEvent[] {
    const exit = { run: raw.run, code: raw.exit?.code ?? null, signal: null, memory: 'unknown' } as const;
    return this.foldNew({ decision: decideExit(this.state, exit, decisionContext(adapter)) });
  }
}

function decisionContext(adapter: Adapter, keepsFiles = false): DecisionContext {
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
    // Decisions of rules are in the mirror; today's rules don't apply.
    judge: () => undefined,
    subjectOf: (tool, input) => adapter.subjectOf(tool, input),
    askId: askIdOf,
    // What checkpoints showed is in the mirror.
    keepsFiles,
  };
}
