import type { Cause } from '../../protocol/api/health.ts';
import type { EventOf } from '../../protocol/event.ts';

const BY_STOP_REASON: Readonly<Record<string, Cause>> = {
  max_tokens: 'output_token_limit',
  max_output_tokens: 'output_token_limit',
  length: 'output_token_limit',
  model_context_window_exceeded: 'context_exhausted',
  context_window_exceeded: 'context_exhausted',
  context_length_exceeded: 'context_exhausted',
};

/** Wording that services and agents were seen to use; the first match wins. */
const BY_WORDS: readonly (readonly [RegExp, Cause])[] = [
  [/prompt is too long|context[ _](length|window)|maximum context|exceeds? the model's context|conversation is too long/i, 'context_exhausted'],
  [/output[ _]tokens?[ _](limit|maximum)|max(imum)?[ _]output[ _]tokens|output token/i, 'output_token_limit'],
  // Less certain words come after the specific ones. A "context deadline" is a time-out of programs written in Go.
  [/\bcontext\b(?! (?:deadline|cancell?ed))|(?<!rate )\btoken limit/i, 'context_exhausted'],
  [/rate.?limit|\b429\b|usage limit|too many requests|quota|limit reached/i, 'rate_limited'],
  [/\b40[13]\b|authenticat|not logged in|api key|unauthori[sz]ed|forbidden|oauth|login/i, 'auth'],
];

export const causeFromText = (words: string): Cause | undefined => BY_WORDS.find(([pattern]) => pattern.test(words))?.[1];

/** Why a turn failed; undefined if it succeeded or a person stopped it. */
export function causeOfTurn(turn: EventOf<'turn.completed'>): Cause | undefined {
  const byStop = BY_STOP_REASON[turn.stopReason];
  if (byStop !== undefined) return byStop;
  if (!turn.isError || turn.stopReason === 'interrupted') return undefined;
  return causeFromText([turn.result ?? '', ...(turn.errors ?? [])].join('\n')) ?? 'error';
}

/** Reasons for which Signalbox or a person ends a process on purpose: nothing went wrong with the session. */
const INTENDED: ReadonlySet<string> = new Set(['sleep', 'stop', 'delete', 'disk', 'handover', 'restart', 'never-began', 'finished']);

/** A shell reports 128 plus the signal's number for a process that a signal ended. */
const SIGNALLED = 128;

/** `known` is the cause that a failed turn reported before: it says more than the exit itself. */
export function causeOfExit(exit: EventOf<'session.exited'>, known: Cause | undefined): Cause | undefined {
  if (INTENDED.has(exit.reason)) return known;
  if (exit.reason === 'could-not-start') return known ?? 'error';
  // A process that left no exit status did not end by itself.
  const code = exit.code ?? Number.POSITIVE_INFINITY;
  if (exit.reason === 'stuck' || typeof exit.signal === 'string' || code > SIGNALLED) return 'killed';
  return known ?? 'error';
}
