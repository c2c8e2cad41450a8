import type { Adapter } from '../../agents/adapter.ts';
import type { Circumstances, Drafted } from '../../domain/session/draft.ts';
import { evolve } from '../../domain/session/evolve.ts';
import { decideExit } from '../../domain/session/exit.ts';
import { type SessionState, unborn } from '../../domain/session/state.ts';
import { numbered } from '../../journal/numbered.ts';
import type { RawLine, RawRun } from '../../journal/rebuild/raw-runs.ts';
import type { Refold, RefoldContext, Refolded } from '../../journal/rebuild/rebuild.ts';
import { HUMAN_EVENTS } from '../../protocol/event.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';
import { hear } from './ingest.ts';
import { MirroredPast } from './mirrored-events.ts';
import { freshRow, RunBox } from './run-reader.ts';

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
    this.state = unborn(context.session);
  }

  async refold(raw: RawRun, lines: AsyncIterable<RawLine>, adapter: Adapter): Promise<Refolded> {
    const box = new RunBox(adapter, freshRow({ sessionId: raw.session, run: raw.run }, adapter));
    this.begin(raw.run);
    const events = await this.readLines(box, lines);
    this.state = this.past.untilNextRun(this.state);
    const { outByte, adapterVersion, foldState } = box.rowNow(0);
    const open = this.isLeftOpen(raw);
    return { outByte, adapterVersion, foldState, open, events, end: open || this.past.tellsExit(raw.run) ? [] : this.conclude(raw, adapter) };
  }

  private begin(run: RunId): void {
    this.state = this.past.enter(this.state, run);
    if (this.state.run.phase === 'none' || this.state.run.run !== run) this.state = { ...this.state, run: { phase: 'opened', run } };
  }

  private async readLines(box: RunBox, lines: AsyncIterable<RawLine>): Promise<readonly Drafted[]> {
    const { run } = box.ref;
    const blobs = { putBlob: this.context.putBlob, blob: () => undefined };
    const isLost = this.past.lostLines(run);
    const events: Drafted[] = [];
    for await (const { line, byte } of lines) {
      this.state = this.past.before(this.state, { run, byte });
      const endByte = byte + Buffer.byteLength(line) + 1;
      if (isLost(byte)) box.skipTo(endByte);
      else events.push(...this.kept(hear(box, this.state, { lines: [line], startBytes: [byte], endByte }, () => circumstances(box.adapter), blobs)));
    }
    return events;
  }

  /** What of a decision is not in the mirror, folded. */
  private kept({ decision }: Pick<ReturnType<typeof hear>, 'decision'>): readonly Drafted[] {
    const kept = (decision?.events ?? []).flatMap((event): readonly Drafted[] => {
      if (HUMAN_EVENTS.has(event.type)) return [];
      if (event.type !== 'session.status') return [event];
      const { causeSeq: _, ...status } = event;
      return this.past.tellsStatus() ? [] : [status];
    });
    for (const event of kept) this.state = evolve(this.state, numbered(event, this.state.seq + 1, ''));
    return kept;
  }

  /** Its end is not in the journal that was, as far as anybody knows: the next server finds it and concludes it, with all that it can learn then. */
  private isLeftOpen(raw: RawRun): boolean {
    return !this.past.tellsExit(raw.run) && !raw.isPutAway && this.past.isLastRun();
  }

  /** Mirrors of older versions do not tell how a run ended. */
  private conclude(raw: RawRun, adapter: Adapter): readonly Drafted[] {
    const exit = { run: raw.run, code: raw.exit?.code ?? null, signal: null, memory: 'unknown' } as const;
    return this.kept({ decision: decideExit(this.state, exit, circumstances(adapter)) });
  }
}

function circumstances(adapter: Adapter): Circumstances {
  return {
    at: '',
    late: true,
    freshRun: 'none' as RunId,
    freshAgentSessionId: '',
    placeFree: false,
    diskFree: true,
    inputId: (commandId) => adapter.inputId(commandId),
    inputAfterReady: () => adapter.inputAfterReady ?? false,
    can: adapter.capabilities,
    mayBypass: false,
    // What rules decided then is in the mirror; today's have no say about it.
    judge: () => undefined,
    subjectOf: (tool, input) => adapter.subjectOf(tool, input),
  };
}
