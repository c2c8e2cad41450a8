import type { Adapter } from '../../agents/port/adapter.ts';
import type { Follower, LineBatch, RunRef } from '../../host/host.ts';
import type { RunRow } from '../../journal/journal.ts';
import type { Delta } from '../../protocol/frame.ts';
import type { Observation } from '../../protocol/observation.ts';
import { PartialText } from './partial-text.ts';

/** The reading state in a run's row: the adapter's fold, and the text in progress at that byte. */
interface FoldState {
  readonly adapter: unknown;
  readonly partial: readonly Delta[];
}

/** One observation, and the line it was read from. */
export interface ObservedLine {
  readonly byte: number;
  readonly endByte: number;
  readonly observation: Observation;
  readonly lineChars: number;
}

/** Reads one run's output: the adapter's fold, and the position. */
export class RunReader {
  readonly ref: RunRef;
  readonly partial: PartialText;
  follower: Follower | undefined;
  pid: number | undefined;
  /** The name under which the agent gets our tools; only of a run that this process launched. */
  toolServer: string | undefined;
  /** Memory of the agent and its child processes, as last measured. */
  rssBytes: number | undefined;
  /** Timer that runs until the first line arrives. */
  silence: NodeJS.Timeout | undefined;
  /** True once the process is gone and can't receive input. */
  isGone = false;
  /** True if it was gone when this server started. */
  wasGoneAtStart = false;
  /** True once all earlier output is read and the process was seen alive. */
  isCaughtUp = false;
  private state: unknown;
  private row: RunRow;
  /** The byte after the last line read; the fold and the partial text belong to this byte. */
  private readByte: number;

  constructor(
    readonly adapter: Adapter,
    row: RunRow,
  ) {
    const stored = row.foldState as FoldState | null;
    this.ref = { sessionId: row.session, run: row.run };
    this.row = row;
    this.readByte = row.outByte;
    this.state = stored?.adapter ?? adapter.initial();
    this.partial = new PartialText(stored?.partial ?? []);
  }

  get outByte(): number {
    return this.readByte;
  }

  get inByte(): number {
    return this.row.inByte;
  }

  /** The adapter's fold after the last line read. */
  get fold(): unknown {
    return this.state;
  }

  /** Folds a batch of lines and calls back for every observation and reply, in order. */
  ingest(batch: LineBatch, onObservation: (observed: ObservedLine) => void, onReply: (reply: string) => void): void {
    for (let index = 0; index < batch.lines.length; index += 1) {
      const line = batch.lines[index] ?? '';
      const byte = batch.startBytes[index] ?? 0;
      const endByte = batch.startBytes[index + 1] ?? batch.endByte;
      const translation = this.adapter.translate(this.state, line);
      this.state = translation.state;
      for (const observation of translation.observations) onObservation({ byte, endByte, observation, lineChars: line.length });
      for (const reply of translation.replies) onReply(reply);
    }
    this.readByte = batch.endByte;
    clearTimeout(this.silence);
  }

  /** The row to store with everything read so far. */
  rowNow(inByte: number, open = true): RunRow {
    const foldState: FoldState = { adapter: this.state, partial: this.partial.full() };
    return { ...this.row, outByte: this.readByte, inByte, foldState, adapterVersion: this.adapter.version, open };
  }

  /** The row is in the journal. */
  stored(row: RunRow): void {
    this.row = row;
  }

  /** Replaces a stored state that an older adapter made with a refolded one. */
  refolded(state: unknown): void {
    this.state = state;
  }

  /** Skips bytes that can never be lines. */
  skipTo(byte: number): void {
    this.readByte = byte;
  }

  close(): void {
    this.follower?.close();
    this.follower = undefined;
    clearTimeout(this.silence);
  }
}

export function freshRow(ref: RunRef, adapter: Adapter): RunRow {
  return {
    run: ref.run,
    session: ref.sessionId,
    outByte: 0,
    inByte: 0,
    adapterVersion: adapter.version,
    foldState: { adapter: adapter.initial(), partial: [] },
    open: true,
  };
}
