import { randomUUID } from 'node:crypto';
import { IN_THE_TERMINAL } from '../../domain/permission/hook-ask.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Problems } from '../../problems/problems.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { HookAnswer, HookBody, HookReply } from '../../protocol/api/outside/hooks.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import { CommandId, type SessionId } from '../../protocol/ids.ts';
import { OWNER_NAME } from '../auth/named-tokens.ts';
import { openWaits } from './waits.ts';

/** Serves the hooks of agents in terminals, and programs that poll for messages. */
export interface TerminalServer {
  /** What a hook was given. When the agent is done, the reply may have a message for it. */
  report(body: HookBody, from: string, gone: AbortSignal): Promise<HookReply | Refusal>;
  /** Waits until a request of a hook is answered. If the hook goes away meanwhile, it was answered in the terminal. */
  answer(askId: string, timeoutMs: number, gone: AbortSignal): Promise<HookAnswer | undefined>;
  isReported(session: SessionId): boolean;
  /** The next queued message, lent to whoever polls; `none` when there is none in time. */
  nextInput(session: SessionId, timeoutMs: number, gone: AbortSignal, actor: Actor): Promise<Lent | 'none' | Refusal>;
  acknowledge(session: SessionId, target: CommandId, actor: Actor): Promise<Refusal | undefined>;
  close(): void;
}

type Lent = NonNullable<ReturnType<Engine['terminals']['lent']>>;

/** A hook asks again at once when the server is back; one that doesn't is gone. */
const UNCLAIMED_MS = 30_000;
const TIDY = 'close requests of terminals that are gone';

export function openTerminalServer(engine: Engine, problems: Problems, unclaimedMs = UNCLAIMED_MS): TerminalServer {
  const { terminals } = engine;
  const waits = openWaits(engine);
  const unclaimed = new Set(terminals.asks().map(({ askId }) => askId));
  const tidy = problems.after(TIDY, unclaimedMs, async () => {
    for (const askId of unclaimed) await terminals.settle(askId, 'the terminal session no longer waits', true);
  });
  tidy.unref();
  const nextInput: TerminalServer['nextInput'] = async (session, timeoutMs, gone, actor) => {
    if (waits.isClosed) return 'none';
    const stopPolling = terminals.holdPoll(session);
    try {
      return await lendNext(engine, waits.until, session, timeoutMs, gone, actor);
    } finally {
      stopPolling();
    }
  };
  return {
    report: async (body, from, gone) => {
      const commandId = CommandId.parse(`hook:${body.askId}`);
      // What hooks report belongs to the person who installed them.
      const owner: Actor = { kind: 'person', id: OWNER_NAME, name: OWNER_NAME, from };
      const receipt = await terminals.report({ ...body, commandId }, owner);
      if (isRefusal(receipt) || receipt.sessionId === undefined) return receipt;
      const { sessionId, stopped } = receipt;
      if (stopped === undefined) return { sessionId };
      const next = await nextInput(sessionId, stopped === 'first' ? (body.stayMs ?? 0) : 0, gone, owner);
      return typeof next === 'object' && 'hookOutput' in next ? { sessionId, output: next.hookOutput } : { sessionId };
    },
    answer: async (askId, timeoutMs, gone) => {
      const known = terminals.ask(askId);
      if (known === undefined) return undefined;
      unclaimed.delete(askId);
      await waits.until(known.sessionId, () => (terminals.ask(askId)?.state === 'open' ? undefined : true), { timeoutMs, gone });
      const now = terminals.ask(askId) ?? known;
      if (now.state === 'open' && gone.aborted && !waits.isClosed) await terminals.settle(askId, IN_THE_TERMINAL, false);
      const { sessionId: _, ...answer } = now;
      return answer;
    },
    isReported: (session) => terminals.isReported(session),
    nextInput,
    acknowledge: async (sessionId, target, actor) => {
      const receipt = await engine.submit({ type: 'input.acknowledge', commandId: CommandId.parse(randomUUID()), sessionId, target }, actor);
      return isRefusal(receipt) ? receipt : undefined;
    },
    close: () => {
      clearTimeout(tidy);
      waits.close();
    },
  };
}

type Until = ReturnType<typeof openWaits>['until'];

/** Of two who poll, one gets the message; the other keeps waiting. */
async function lendNext(
  engine: Engine,
  until: Until,
  sessionId: SessionId,
  timeoutMs: number,
  gone: AbortSignal,
  actor: Actor,
): Promise<Lent | 'none' | Refusal> {
  const { terminals } = engine;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, Math.ceil(deadline - performance.now()));
    const state = await until(sessionId, () => unlessEmpty(terminals.poll(sessionId)), { timeoutMs: leftMs, gone });
    if (state === undefined || gone.aborted) return 'none';
    if (state !== 'ready') return state;
    const receipt = await engine.submit({ type: 'input.lease', commandId: CommandId.parse(randomUUID()), sessionId }, actor);
    const lent = isRefusal(receipt) ? undefined : terminals.lent(sessionId);
    if (lent !== undefined) return lent;
    if (isRefusal(receipt) && receipt.refused !== 'conflict') return receipt;
  }
}

const unlessEmpty = <T>(state: T | 'empty'): T | undefined => (state === 'empty' ? undefined : state);
