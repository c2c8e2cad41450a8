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
  /** Files in its folder it writes unasked. */
  readonly asksForCommandsOnly?: true;
  /** It looks at a file when it hears of a call, and tells no change that was made before it looked. */
  readonly mayMissChanges?: true;
  /** How long a scenario may take, where a start takes longer than others do altogether. */
  readonly limitMs?: number;
  /** Some words of what a person reads when the model refuses a request as not understood. */
  readonly errorWords: string;
}
