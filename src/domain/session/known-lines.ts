import type { Event } from '../../protocol/event.ts';
import type { KeptObservation } from '../../protocol/observation.ts';

/** What one line of an agent's own record reports. */
export interface RecordLine {
  readonly file: string;
  readonly byte: number;
  readonly observations: readonly KeptObservation[];
  /** The agent's stream might not have reported it. */
  readonly unprinted?: boolean;
  /** The agent's own time of it, or of the line before it. */
  readonly at: string | undefined;
}

interface Lifetime {
  readonly from: string;
  until: string | undefined;
}

/**
 * Which lines of a record a session already shows, by the agent's own ids: its stream and its record use the same ids. A line that the stream might not
 * report is judged by its time: if it was not written while a process of ours was running, or before the session started, it is another program's.
 */
export class KnownLines {
  private readonly keys = new Set<string>();
  private readonly lifetimes: Lifetime[] = [];

  /** `startedAt`: older lines were there before the session, and are already shown as far as they should be. */
  constructor(private readonly startedAt?: string) {}

  add(event: Event): void {
    for (const key of keysOf(event)) this.keys.add(key);
    if (event.elsewhere && event.src?.file !== undefined) this.keys.add(placeOf(event.src.file, event.src.byte));
    if (event.type === 'run.opened') this.lifetimes.push({ from: event.at, until: undefined });
    const last = this.lifetimes.at(-1);
    if (event.type === 'session.exited' && last !== undefined) last.until = event.at;
  }

  /** The agent might have an input of ours that its stream has not reported yet. */
  addInput(inputId: string): void {
    this.keys.add(`item ${inputId}`);
  }

  has(line: RecordLine): boolean {
    const keys = line.observations.flatMap(keysOf);
    if (this.keys.has(placeOf(line.file, line.byte)) || keys.some((key) => this.keys.has(key))) return true;
    if (line.at !== undefined && this.startedAt !== undefined && line.at < this.startedAt) return true;
    const isUnidentified = keys.length === 0 || line.observations.every((one) => one.type === 'unrecognised');
    return (line.unprinted === true || isUnidentified) && this.isOurTime(line.at);
  }

  private isOurTime(at: string | undefined): boolean {
    if (at === undefined) return this.lifetimes.length > 0;
    return this.lifetimes.some(({ from, until }) => from <= at && (until === undefined || at <= until));
  }
}

const placeOf = (file: string, byte: number): string => `place ${byte} ${file}`;

/** A call and its result are identified by the call; everything else by its line, or by its item if the stream has only that. */
export function keysOf(source: Event | KeptObservation): readonly string[] {
  if (source.type === 'tool.started' || source.type === 'tool.completed') return [`${source.type} ${source.toolUseId}`];
  const { uuid, itemId } = source;
  return [...(uuid === undefined ? [] : [`line ${uuid}`]), ...(itemId === undefined ? [] : [`item ${itemId}`])];
}
