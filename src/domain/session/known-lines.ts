import type { Event } from '../../protocol/event.ts';
import type { KeptObservation } from '../../protocol/observation.ts';

/** What one line of an agent's own record reports. */
export interface RecordLine {
  readonly file: string;
  readonly byte: number;
  readonly observations: readonly KeptObservation[];
  /** The agent's stream may not have reported it. */
  readonly unprinted?: boolean;
  /** The agent's own time of it, or of the line before it. */
  readonly at: string | undefined;
}

interface Life {
  readonly from: string;
  until: string | undefined;
}

/**
 * Which lines of a record a session shows already, by the agent's own ids: its stream and its record name the same thing alike. What a stream
 * need not tell is known by its time: it was written while a process of ours lived, or before the session began, or it is another program's.
 */
export class KnownLines {
  private readonly keys = new Set<string>();
  private readonly lives: Life[] = [];

  /** `began`: what is older was there before the session, and is shown as far as it is to be. */
  constructor(private readonly began?: string) {}

  add(event: Event): void {
    for (const key of keysOf(event)) this.keys.add(key);
    if (event.elsewhere && event.src?.file !== undefined) this.keys.add(placeOf(event.src.file, event.src.byte));
    if (event.type === 'run.opened') this.lives.push({ from: event.at, until: undefined });
    const last = this.lives.at(-1);
    if (event.type === 'session.exited' && last !== undefined) last.until = event.at;
  }

  /** The agent may have an input of ours that its stream has not reported yet. */
  addInput(inputId: string): void {
    this.keys.add(`item ${inputId}`);
  }

  has(line: RecordLine): boolean {
    const keys = line.observations.flatMap(keysOf);
    if (this.keys.has(placeOf(line.file, line.byte)) || keys.some((key) => this.keys.has(key))) return true;
    if (line.at !== undefined && this.began !== undefined && line.at < this.began) return true;
    const tellsNothing = keys.length === 0 || line.observations.every((one) => one.type === 'unrecognised');
    return (line.unprinted === true || tellsNothing) && this.isOurTime(line.at);
  }

  private isOurTime(at: string | undefined): boolean {
    if (at === undefined) return this.lives.length > 0;
    return this.lives.some(({ from, until }) => from <= at && (until === undefined || at <= until));
  }
}

const placeOf = (file: string, byte: number): string => `place ${byte} ${file}`;

/** A call and its result are known by the call; everything else by its line, or by its item where the stream names that alone. */
export function keysOf(told: Event | KeptObservation): readonly string[] {
  if (told.type === 'tool.started' || told.type === 'tool.completed') return [`${told.type} ${told.toolUseId}`];
  const { uuid, itemId } = told;
  return [...(uuid === undefined ? [] : [`line ${uuid}`]), ...(itemId === undefined ? [] : [`item ${itemId}`])];
}
