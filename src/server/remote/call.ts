import { setTimeout as pause } from 'node:timers/promises';
import { NoAnswer, type RemoteRequest, type RemoteResponse } from '../../cluster/requests-out.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import { ownerAway, unknownOutcome } from './away.ts';
import type { RemoteContext } from './remote-context.ts';

/** How long one command is tried again on a machine that comes and goes. */
const TRY_MS = 8000;
const AGAIN_MS = 300;

export interface CallOptions {
  /** Sent again after an unknown outcome: it reads only, or its command id makes it count once. */
  readonly isRepeatable: boolean;
  /** It changes nothing, so without an answer the machine is just away. */
  readonly isRead: boolean;
  readonly tryMs?: number;
}

/** Asks another machine, again while that is safe and it can be reached. */
export async function call(context: RemoteContext, node: string, request: RemoteRequest, options: CallOptions): Promise<RemoteResponse | Refusal> {
  const deadline = performance.now() + (options.tryMs ?? TRY_MS);
  let mayHaveHappened = false;
  for (;;) {
    try {
      return await context.cluster.fetch(node, request);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      mayHaveHappened ||= error.outcome === 'unknown' && !options.isRead;
      const isOver = performance.now() >= deadline || context.cluster.lifeOf(node) === undefined;
      if (isOver || (mayHaveHappened && !options.isRepeatable)) return mayHaveHappened ? unknownOutcome(context, node) : ownerAway(context, node);
    }
    await pause(AGAIN_MS);
  }
}

/** Asks all machines that can be reached, at most so long; those that did not answer are named. */
export async function callAll(context: RemoteContext, request: RemoteRequest, limitMs: number): Promise<Answers> {
  const asked = [...context.cluster.others()].filter(([, { state }]) => state !== 'gone');
  const silent = [...context.store.machines().keys()].filter((node) => !asked.some(([id]) => id === node));
  const found: { node: string; response: RemoteResponse }[] = [];
  await Promise.all(
    asked.map(async ([node]) => {
      const timer = new AbortController();
      const late = pause(limitMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
      const response = await Promise.race([call(context, node, request, { isRead: true, isRepeatable: true, tryMs: 0 }), late]);
      timer.abort();
      if (response === undefined || isRefusal(response)) silent.push(node);
      else found.push({ node, response });
    }),
  );
  return { found, silent };
}

export interface Answers {
  readonly found: readonly { readonly node: string; readonly response: RemoteResponse }[];
  /** Machines that are known but did not answer. */
  readonly silent: readonly string[];
}
