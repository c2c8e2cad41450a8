import type { EventBodyOf } from '../../protocol/event.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import type { Adapter, PastFacts } from './adapter.ts';

type Environment = Readonly<Record<string, string>>;

/** How to find and read an agent's records of all its conversations, no matter which program started them. Pure, like the rest of an adapter. */
export interface AgentArchive {
  /** Raise it whenever `read` would return something else for the same line: records are then read again; numbers already assigned stay. */
  readonly version: number;
  /** Folders that contain records: these and everything below them are read, nothing else. */
  roots(env: Environment): readonly string[];
  /** The kind of record at a path relative to a root (with `/`); undefined for any other file. */
  recordOf(path: string): RecordKind | undefined;
  /** Facts from the first and last part of a record; either may be cut mid-line. */
  readFacts(head: string, tail: string): PastFacts;
  /** What one line says on its own; `place` is its first byte or row, for lines without an id. Never throws: an unknown line becomes `unrecognised`. */
  read(line: string, context: RecordContext, place?: number): PastLine;
  /** Dollars per million tokens of a model, where known. */
  price?(model: string): Price | undefined;
  /** Size of a model's context window in tokens, where the name alone is enough to know it. */
  window?(model: string): number | undefined;
}

/** An agent whose conversations are shown, whether or not Signalbox runs it. */
export type PastAgent = Pick<Adapter, 'id' | 'title' | 'icon'> & { readonly archive: AgentArchive };

export type RecordKind =
  /** A file of lines, one conversation or a part of one. */
  | {
      readonly kind: 'lines';
      readonly agentSessionId: string;
      /** Name of a part with its own file (a subagent). */
      readonly part?: string;
      /** Path, relative to the root, of a small file that says what the part belongs to. */
      readonly companion?: string;
    }
  /** A database with many conversations, opened read-only. */
  | {
      readonly kind: 'database';
      /** Lists conversations: columns `id` and `lastRow`, which grows with every row. */
      readonly conversations: string;
      /** Rows of conversation ?1 above ?2, ascending, at most ?3: columns `row`, and the line as text in `line` or zstd in `packed`. */
      readonly rows: string;
    };

export interface RecordContext {
  /** The text of the companion file, when there is one. */
  readonly companion?: string;
  /** The conversation this record belongs to: lines that only have numbers have the same numbers in every conversation. */
  readonly agentSessionId?: string;
  /** Facts from earlier lines: a line may name files relative to the folder, or leave out the model. */
  readonly facts?: PastFacts;
}

export interface PastLine {
  /** Position in the conversation's tree. A line without one follows the previous line of its file, as do all lines of a part. */
  readonly node?: PastNode;
  readonly observations: readonly KeptObservation[];
  /** Facts about the conversation; `named` when a person chose the title. For `cwd` and automatic titles the first value counts, otherwise the last. */
  readonly facts?: PastFacts & { readonly named?: boolean };
  readonly spent?: Omit<EventBodyOf<'usage.reported'>, 'type'> & { readonly at?: string };
  /** A running process may not print this line: its absence from a stream doesn't mean that another program wrote it. */
  readonly unprinted?: boolean;
  /** This conversation starts with part of that one, without repeating it. */
  readonly continues?: { readonly agentSessionId: string; readonly upTo?: string };
  /** The conversation this one was copied from; its lines are repeated here, with the same ids. */
  readonly copiedFrom?: { readonly agentSessionId: string };
}

export interface PastNode {
  /** The agent's own id of the line. */
  readonly id: string;
  /** The previous line of the conversation; null at the start. */
  readonly parent: string | null;
  /** Belongs to its parent's branch even when another line follows the parent: one of several results. */
  readonly joins?: boolean;
}

export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
