/** One start of one machine: its id, a number that only grows, and a name made at random. Frames are addressed to a life, so that none reaches another one. */
export interface Life {
  readonly node: string;
  readonly epoch: number;
  readonly instance: string;
}

/** A machine as the directory has it. */
export interface Member extends Life {
  /** Sealed: who it is and how busy. */
  readonly facts: Uint8Array;
  /** Since its last beat, by the clock of the directory. */
  readonly silentMs: number;
  /** It stopped on purpose. */
  readonly hasLeft: boolean;
}

export type BeatAnswer =
  /** `isNew`: the directory doesn't have our last beat, because we just joined, or because it was emptied or restored from an older copy. */
  | { readonly outcome: 'ok'; readonly isNew: boolean; readonly members: readonly Member[] }
  /** A later life of the same machine is there: a copy of the data folder, or an older backup of it. */
  | { readonly outcome: 'superseded'; readonly epoch: number };

/** Sealed summaries of one machine's sessions that changed, by sealed name; null: the session is gone. */
export type SealedChange = readonly [name: string, summary: Uint8Array | null];

/** What arrives. Called one after the other; a listener that fails is reported and does not stop the next. */
export interface CarrierListener {
  frame(bytes: Uint8Array): void;
  /** A change that some machine published. */
  logged(bytes: Uint8Array): void;
  /** Published changes may have been missed: the log was emptied or cut. */
  logLost(): void;
}

/**
 * Carries sealed bytes between machines and keeps their directory. It may forget everything at any time, deliver a frame twice or not at all; nothing
 * that it holds is needed to keep what machines know.
 */
export interface Carrier {
  /** The epoch that the directory has for a machine; 0 if it has none. */
  epochOf(node: string): Promise<number>;
  /** Says that this life is here, and reads who else is. `number`: which beat this is, from 1. */
  beat(life: Life, facts: Uint8Array, number: number): Promise<BeatAnswer>;
  /** Starts delivering what is sent to this life, and what is published from now on. */
  receive(life: Life, listener: CarrierListener): Promise<void>;
  /** Resolves when the carrier has it, which says nothing about the receiver. After a rejection it may still arrive. */
  send(to: Life, frame: Uint8Array): Promise<void>;
  /** Stores changed summaries and tells everyone; `entry` is what the others get. */
  publish(node: string, changes: readonly SealedChange[], entry: Uint8Array): Promise<void>;
  /** Replaces all summaries of a machine. */
  republish(node: string, summaries: readonly SealedChange[], entry: Uint8Array): Promise<void>;
  summaries(node: string): Promise<readonly Uint8Array[]>;
  /** The life is over: nothing is delivered to it anymore. Its summaries stay. */
  leave(life: Life): Promise<void>;
  /** Removes everything that a machine left behind. */
  forget(node: string): Promise<void>;
  close(): Promise<void>;
}

/** Bounds of what the carrier holds. */
export const INBOX_FRAMES = 4096;
export const LOG_ENTRIES = 20_000;
export const SUMMARIES = 1000;
