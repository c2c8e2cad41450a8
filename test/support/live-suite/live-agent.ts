import type { LiveSetup } from './live-setup.ts';

/** Capabilities that some programs lack and that the suite handles differently. */
export type Ability = 'permissions' | 'thinking' | 'resume';

/** A real agent as the suite uses it. */
export interface LiveAgent<Setup extends LiveSetup = LiveSetup> {
  /** With the version, for test titles. */
  readonly title: string;
  readonly id: string;
  readonly version: string;
  /** The server with this agent on the scripted model, or why the agent isn't available. */
  open(): Promise<Setup | { readonly skip: string }>;
  /** What this program was seen not to support. The server must report the same. */
  readonly cannot?: readonly Ability[];
  /** Writes files in its folder without asking. */
  readonly asksForCommandsOnly?: true;
  /** It reads a file when it learns of a call, and doesn't report a change made before that. */
  readonly mayMissChanges?: true;
  /** Time limit of a scenario, for agents that take very long to start. */
  readonly limitMs?: number;
  /** Part of the error message that a person sees when the model rejects a request as invalid. */
  readonly errorWords: string;
}
