import type { LiveBench } from './bench.ts';

/** What the suite treats differently where a program lacks it. */
export type Ability = 'permissions' | 'thinking' | 'resume';

/** A real agent as the suite knows it. */
export interface LiveAgent<Bench extends LiveBench = LiveBench> {
  /** With its version, for the titles. */
  readonly title: string;
  readonly id: string;
  readonly version: string;
  /** The server with this agent on the scripted model, or why the agent cannot be had. */
  open(): Promise<Bench | { readonly skip: string }>;
  /** What this program was seen not to do. The server must come to say the same of it. */
  readonly cannot?: readonly Ability[];
  /** Some words of what a person reads when the model refuses a request as not understood. */
  readonly errorWords: string;
}
