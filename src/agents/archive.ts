import type { EventBodyOf } from '../protocol/event.ts';
import type { KeptObservation } from '../protocol/observation.ts';
import type { Adapter, PastFacts } from './adapter.ts';

type Environment = Readonly<Record<string, string>>;

/** How the records that an agent keeps of all its conversations are found and read, whoever had them. As pure as the rest of an adapter. */
export interface AgentArchive {
  /** Raised whenever `read` would make something else of the same line: records are then read again; numbers that were given stay. */
  readonly version: number;
  /** Folders below which records lie: these are read with all below them, and nothing else. */
  roots(env: Environment): readonly string[];
  /** What a file below a root is, by its path relative to that root (with `/`); undefined for any other file. */
  recordOf(path: string): RecordKind | undefined;
  /** What the beginning and the end of a record tell about it; each may be cut in mid-line. */
  glance(head: string, tail: string): PastFacts;
  /** What one line tells, by itself. Never throws: what it does not know is `unrecognised`. */
  read(line: string, context: RecordContext): PastLine;
  /** Dollars for a million tokens of a model, where they are known. */
  price?(model: string): Price | undefined;
  /** How many tokens a model holds, where its name alone tells. */
  window?(model: string): number | undefined;
}

/** An agent whose conversations are shown, whether or not it is run from here. */
export type PastAgent = Pick<Adapter, 'id' | 'title' | 'icon'> & { readonly archive: AgentArchive };

export type RecordKind =
  /** A file of lines, one conversation or a part of one. */
  | {
      readonly kind: 'lines';
      readonly agentSessionId: string;
      /** Of a part that has a file of its own (a subagent): its name. */
      readonly part?: string;
      /** A small file beside it that tells what the part belongs to: its path relative to the root. */
      readonly companion?: string;
    }
  /** A database with many conversations, opened to read only. */
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
  /** The conversation whose record it is: lines that are only counted have the same numbers in every other. */
  readonly agentSessionId?: string;
  /** What the lines before told about the whole: a line may name files relative to its folder, or leave out the model. */
  readonly facts?: PastFacts;
}

export interface PastLine {
  /** Its place in the tree of the conversation. A line without one follows the line before it in its file: so do all lines of a part. */
  readonly node?: PastNode;
  readonly observations: readonly KeptObservation[];
  /** What the line tells about the whole; `named` when somebody gave the title. Of `cwd`, and of titles that nobody gave, the first counts, of all else the last. */
  readonly facts?: PastFacts & { readonly named?: boolean };
  readonly spent?: Omit<EventBodyOf<'usage.reported'>, 'type'> & { readonly at?: string };
  /** A living process need not print what this line tells: that a stream lacks it does not mean that another program wrote it. */
  readonly unprinted?: boolean;
  /** The conversation whose beginning this one shares without repeating it. */
  readonly continues?: { readonly agentSessionId: string; readonly upTo?: string };
  /** The conversation that this one was copied from: its lines stand here again, under the same ids. */
  readonly copiedFrom?: { readonly agentSessionId: string };
}

export interface PastNode {
  /** The agent's own id of the line. */
  readonly id: string;
  /** The line before it in the conversation; null at the beginning. */
  readonly parent: string | null;
  /** It belongs to its parent's branch even when something else stands behind that already: a result beside others. */
  readonly joins?: boolean;
}

export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
