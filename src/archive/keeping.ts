import type { KeptState } from '../protocol/archive.ts';
import type { KeptCopies, NumberedFile } from './record-bytes.ts';

/** A file of a record, as whoever keeps copies is told of it. */
export interface SeenFile extends NumberedFile {
  /** The folder of the agent below which it lies. */
  readonly root: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Small file beside it without which it cannot be read. */
  readonly companion?: string;
}

/** What the indexer needs of whoever keeps copies of records. Only files of lines are told: a database is its agent's own to keep. */
export interface Keeping extends KeptCopies {
  /** It is there, and was read up to this size: its copy is due. Told again when it has grown. */
  seen(file: SeenFile): void;
  /** Its own file is not there any more, or was replaced. */
  vanished(file: NumberedFile): void;
  /** Some milliseconds of copying; false when nothing is due. */
  step(): boolean;
  state(): KeptState;
  turn(on: boolean): void;
  /** Puts these files back where they lay. Throws in words. */
  restore(files: readonly NumberedFile[]): { readonly paths: readonly string[]; readonly bytes: number };
  close(): void;
}
