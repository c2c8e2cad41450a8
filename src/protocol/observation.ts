import { EVENTS, type EventBodyOf, type TypeMadeBy } from './event.ts';

/** What an adapter read in one line of its agent. One with the name of an event is stored unchanged. */
export type Observation =
  | KeptObservation
  | TurnObservation
  | InputObservation
  | PermissionObservation
  | ToolCallObservation
  | PartialObservation
  | ReplyObservation;

/** An image as the agent printed it; the engine turns it into a blob. */
export interface RawImage {
  readonly mediaType: string;
  readonly base64: string;
}

/** Observations that are stored unchanged, under the name of their event. */
export type Kept = TypeMadeBy<'agent'>;
export const KEPT: readonly Kept[] = EVENTS.filter((event) => event.madeBy === 'agent').map(({ type }) => type);

/** What an observation carries besides the fields of its event. */
type BesideEvent = {
  readonly rawImages?: readonly RawImage[];
  /** The agent's own time of the line, if it prints one. */
  readonly agentAt?: string;
  /** Where the agent saved the whole `output`, if it printed only part of it; the adapter has checked that it is one of the agent's own files. */
  readonly outputFile?: string;
};

export type KeptObservation = { [T in Kept]: Omit<EventBodyOf<T>, 'src' | 'turnId' | 'actor' | 'blobs' | 'images'> & BesideEvent }[Kept];

export type TurnObservation =
  /** `cause` is `input` or the reason why the agent started on its own. */
  | { readonly type: 'turn.began'; readonly cause: string }
  | ({ readonly type: 'turn.ended' } & Omit<EventBodyOf<'turn.completed'>, 'type' | 'turnId' | 'actor' | 'src' | 'blobs' | 'interrupted'> & {
        /** The agent says that somebody stopped it; whether it was us is decided in domain/. */
        readonly aborted: boolean;
      });

/** The agent took (`taken`) or discarded (`dropped`) an input that we sent under this id. */
export type InputObservation =
  | { readonly type: 'input.taken'; readonly inputId: string; readonly text?: string }
  | { readonly type: 'input.dropped'; readonly inputId: string; readonly reason: string };

export type PermissionObservation =
  | ({ readonly type: 'permission.asked' } & Pick<
      EventBodyOf<'permission.requested'>,
      'agentRequestId' | 'toolUseId' | 'tool' | 'input' | 'title' | 'suggestions' | 'kind' | 'subagent' | 'subject'
    >)
  | { readonly type: 'permission.withdrawn'; readonly agentRequestId: string; readonly reason: string };

/** The agent calls one of our tools and waits for the result. */
export type ToolCallObservation = { readonly type: 'tool.called' } & Pick<EventBodyOf<'tool.asked'>, 'tool' | 'input'> & {
    readonly agentRequestId: string;
    readonly toolUseId: string;
  };

/** Text in progress. Transient: shown at once, never stored. `offset` counts characters of the item. */
export type PartialObservation =
  | {
      readonly type: 'delta';
      readonly itemId: string;
      readonly messageId: string;
      readonly index: number;
      readonly kind: 'text' | 'thinking' | 'tool_input';
      readonly text: string;
      readonly offset: number;
      readonly toolName?: string;
      readonly parentToolUseId?: string;
    }
  /** The agent started over: the streamed text of this item never became one. */
  | { readonly type: 'delta.dropped'; readonly itemId: string };

/** The agent answered something we asked (`ready` after the handshake, a control request refused …). */
export type ReplyObservation =
  | { readonly type: 'agent.ready' }
  | { readonly type: 'reply'; readonly to: string; readonly ok: boolean; readonly detail?: string };
