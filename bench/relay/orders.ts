/** What the benchmark says to its client process, and what comes back. */

export type RelayAddress =
  | { readonly kind: 'floor'; readonly url: string; readonly sessions: readonly string[] }
  | { readonly kind: 'ours'; readonly url: string; readonly token: string; readonly sessions: readonly string[] };

export type ClientOrder =
  | { readonly do: 'connect'; readonly relay: RelayAddress }
  /** Says `text` (if any) in each session and reports when each has brought so many deltas. */
  | { readonly do: 'listen'; readonly sessions: readonly string[]; readonly text?: string; readonly deltas: number; readonly wantsLatencies: boolean }
  /** Stops reading its socket. */
  | { readonly do: 'pause' }
  | { readonly do: 'resume' }
  | { readonly do: 'end' };

export type ClientReport = { readonly did: 'connected' } | { readonly did: 'paused' } | Heard;

export interface Heard {
  readonly did: 'heard';
  readonly deltas: number;
  readonly gaps: number;
  readonly seqGaps: number;
  readonly resubscribed: number;
  /** When the agent wrote the first delta and when the client had the last one. */
  readonly startUs: number;
  readonly endUs: number;
  /** Of each session, in order of arrival. */
  readonly latenciesUs: readonly (readonly number[])[];
}
