import { createHash } from 'node:crypto';
import type { Adapter } from '../../agents/port/adapter.ts';
import type { Anchor } from '../../journal/mirror.ts';
import { numbered, type Unnumbered } from '../../journal/number-events.ts';
import { merge } from '../../journal/rebuild/merge.ts';
import type { MirroredEvent } from '../../journal/rebuild/mirror-file.ts';
import type { RawLine } from '../../journal/rebuild/raw-runs.ts';
import { UPCASTERS, upcast } from '../../journal/upcast.ts';
import { RecordingHead, RecordingLine } from '../../protocol/api/recording.ts';
import { Event, isMirrored } from '../../protocol/event.ts';
import type { AgentId, RunId, SessionId } from '../../protocol/ids.ts';
import { refoldWith } from './refold-run.ts';

export interface Replayed {
  readonly events: readonly Event[];
  /** The first event that differs from the recorded one, by its place; undefined if all are the same. */
  readonly difference: { readonly at: number; readonly recorded: unknown; readonly replayed: unknown } | undefined;
}

interface Recording {
  readonly session: SessionId;
  readonly isScrubbed: boolean;
  readonly runs: readonly RunId[];
  readonly output: ReadonlyMap<RunId, readonly RawLine[]>;
  readonly events: readonly Event[];
}

/** Reads what a recorded agent printed through its adapter again, with what people did in between, and compares the events. */
export async function replayRecording(lines: AsyncIterable<string>, adapters: readonly Adapter[]): Promise<Replayed> {
  const recording = await readRecording(lines);
  const mirrored = withAnchors(recording.events);
  const putBlob = (bytes: Uint8Array) => ({ sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength });
  const byId = new Map<AgentId, Adapter>(adapters.map((adapter) => [adapter.id, adapter]));
  const refold = refoldWith(byId)({ session: recording.session, mirrored, putBlob });
  const runs: { run: RunId; events: readonly Unnumbered[]; end?: readonly Unnumbered[] }[] = [];
  for (const run of recording.runs) {
    const raw = { run, session: recording.session, folder: '', host: undefined, inByte: 0, exit: undefined, isCompressed: false };
    const { events, end } = await refold(raw, given(recording.output.get(run) ?? []));
    runs.push({ run, events, ...(end !== undefined && { end }) });
  }
  const first = recording.events[0]?.seq ?? 1;
  let at = '';
  const events = merge(mirrored, runs).map(({ body }, index) => {
    at = body.at || at;
    return numbered(body, first + index, at);
  });
  return { events, difference: differenceOf(recording, events) };
}

async function* given(lines: readonly RawLine[]): AsyncGenerator<RawLine> {
  yield* lines;
}

/** Not a recording, or one of a version that this program doesn't know. */
export class BadRecording extends Error {
  override readonly name = 'BadRecording';
}

async function readRecording(lines: AsyncIterable<string>): Promise<Recording> {
  let head: RecordingHead | undefined;
  const runs: RunId[] = [];
  const output = new Map<RunId, RawLine[]>();
  const events: Event[] = [];
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text === '') continue;
    const value = parsed(text);
    if (head === undefined) {
      const found = RecordingHead.safeParse(value);
      if (!found.success)
        throw new BadRecording('This is not a recording, or it was made by a newer version. Export one with "signalbox export --format recording".');
      head = found.data;
      continue;
    }
    const line = RecordingLine.safeParse(value);
    if (!line.success) throw new BadRecording(`Line ${number} of the recording can’t be read: it may have been cut off or edited.`);
    if ('run' in line.data) runs.push(line.data.run);
    else if ('event' in line.data) events.push(eventIn(line.data.event, number));
    else if (line.data.line.side === 'out') {
      const { run, at, text: printed } = line.data.line;
      const all = output.get(run) ?? [];
      all.push({ line: printed, byte: at });
      output.set(run, all);
    }
  }
  if (head === undefined) throw new BadRecording('The file is empty.');
  return { session: head.session.id, isScrubbed: head.scrubbed, runs, output, events };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function eventIn(value: Readonly<Record<string, unknown>>, number: number): Event {
  const event = Event.safeParse(upcast(value, UPCASTERS));
  if (event.success) return event.data;
  throw new BadRecording(`The event on line ${number} of the recording can’t be read: it was made by a newer version, or edited.`);
}

/** What people did, each with how far the agent's output had been read: up to the last line that caused an event. */
function withAnchors(events: readonly Event[]): readonly MirroredEvent[] {
  let anchor: Anchor | undefined;
  return events.flatMap((event) => {
    if (event.type === 'run.opened') anchor = { run: event.run, byte: 0 };
    if (event.src?.run !== undefined && event.src.file === undefined) anchor = { run: event.src.run, byte: event.src.byte + 1 };
    return isMirrored(event) ? [{ event, ...(anchor !== undefined && { anchor }) }] : [];
  });
}

/** When an event was stored is not in the output, and content with marks in it has another name. */
function differenceOf({ events: recorded, isScrubbed }: Recording, replayed: readonly Event[]): Replayed['difference'] {
  const left = (event: Event | undefined): unknown => event && comparable(event, isScrubbed);
  for (let at = 0; at < Math.max(recorded.length, replayed.length); at += 1) {
    const [one, other] = [left(recorded[at]), left(replayed[at])];
    if (JSON.stringify(one) !== JSON.stringify(other)) return { at, recorded: one, replayed: other };
  }
  return undefined;
}

function comparable(event: Event, isScrubbed: boolean): unknown {
  const { at: _at, atKnown: _atKnown, blobs, ...rest } = event;
  return sorted({ ...rest, ...(blobs !== undefined && { blobs: isScrubbed ? Object.keys(blobs).sort() : blobs }) });
}

/** The order of fields says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
