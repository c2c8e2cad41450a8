/** Messages between the benchmark and its client process. */

export type RelayAddress =
  | { readonly kind: 'floor'; readonly url: string; readonly sessions: readonly string[] }
  | { readonly kind: 'ours'; readonly url: string; readonly token: string; readonly sessions: readonly string[] };

export type ClientOrder =
  | { readonly do: 'connect'; readonly relay: RelayAddress }
  /** Sends `text` (if any) to each session and reports when each has delivered this many deltas. */
  | { readonly do: 'listen'; readonly sessions: readonly string[]; readonly text?: string; readonly deltas: number; readonly wantsLatencies: boolean }
  /** Stops reading its socket. */
  | { readonly do: 'pause' }
  | { readonly do: 'resume' }
  | { readonly do: 'end' };

export type ClientReport = { readonly did: 'connected' } | { readonly did: 'paused' } | Received;

export interface Received {
  readonly did: 'received';
  readonly deltas: number;
  readonly gaps: number;
  readonly seqGaps: number;
  readonly resubscribed: number;
  /** When the agent wrote the first delta and when the client received the last one. */
  readonly startUs: number;
  readonly endUs: number;
  /** One list per session, in order of arrival. */
  readonly latenciesUs: readonly (readonly number[])[];
}
