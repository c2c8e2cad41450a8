import type { LiveBench } from './bench.ts';

/** A real agent as the suite knows it. What it can do is not said here: the server says it. */
export interface LiveAgent<Bench extends LiveBench = LiveBench> {
  /** With its version, for the titles. */
  readonly title: string;
  readonly id: string;
  readonly version: string;
  /** The server with this agent on the scripted model, or why the agent cannot be had. */
  open(): Promise<Bench | { readonly skip: string }>;
  /** Some words of what a person reads when the model refuses a request as not understood. */
  readonly errorWords: string;
}
