import type { HookEvent } from '../../protocol/event.ts';
import type { Subject } from '../../protocol/subject.ts';
import type { Verdict } from './adapter.ts';

/** The hooks of an agent that runs in a terminal, outside Signalbox: programs of ours that it starts at certain moments. */
export interface AgentHooks {
  /** The person's settings file, in which hooks are registered: JSON. */
  settingsFile(env: Readonly<Record<string, string | undefined>>): string;
  /** Where hooks are in that file, and one entry. */
  readonly registrations: readonly HookRegistration[];
  entry(command: string, timeoutSeconds: number): object;
  /** Why hooks may not do what somebody expects, as sentences. */
  readonly limits: readonly string[];
  /** What in these settings keeps hooks from working, as a sentence. */
  obstacle(settings: unknown): string | undefined;
  /** What the agent gave to a hook; undefined when there is nothing to do. */
  read(payload: unknown): HookCall | undefined;
  /** What the hook prints so that the agent does what a person decided. */
  decision(verdict: Verdict, input: Readonly<Record<string, unknown>>): string;
  /** What the hook prints when the agent stops, so that it takes this message instead. `messageId` is found again in its record. */
  message(text: string, messageId: string): string;
}

export interface HookRegistration {
  /** The names of the objects around the list of entries. */
  readonly path: readonly [string, string];
  readonly does: 'ask' | 'ran' | 'tell' | 'stop';
  readonly timeoutSeconds: number;
}

export type HookCall = { readonly agentSessionId: string } & (
  | {
      readonly kind: 'asked';
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly request: 'tool' | 'question' | 'plan';
      readonly subject: Subject;
      readonly suggestions: readonly Readonly<Record<string, unknown>>[];
    }
  | { readonly kind: 'ran'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'told'; readonly event: HookEvent; readonly text?: string /** It already continues because of a hook. */; readonly isContinuing?: true }
);
