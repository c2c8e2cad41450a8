import type { Engine } from '../../engine/engine.ts';
import type { Actor } from '../../protocol/actor.ts';
import { type Command, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { Event, EventOf, EventType } from '../../protocol/event.ts';

/** Submits a command and waits for the event that reports its outcome. The command stays durable even when the caller has given up. */
export async function submitAndWait<T extends EventType>(
  engine: Engine,
  command: Command,
  actor: Actor,
  wanted: { readonly type: T; readonly limitMs: number; readonly tooLate: string },
): Promise<EventOf<T> | Refusal> {
  const isOutcome = (event: Event): event is EventOf<T> => event.type === wanted.type && 'commandId' in event && event.commandId === command.commandId;
  const waiting = outcomeOf(engine, command, isOutcome, wanted.limitMs);
  try {
    const receipt = await engine.submit(command, actor);
    if (isRefusal(receipt)) return receipt;
    // When the same command is sent again, its outcome may be there already.
    const earlier = engine.events(command.sessionId, { after: receipt.seq - 1, limit: 1000 }).find(isOutcome);
    return earlier ?? (await waiting.outcome) ?? { refused: 'conflict', message: wanted.tooLate };
  } finally {
    waiting.stop();
  }
}

function outcomeOf<E extends Event>(
  engine: Engine,
  { sessionId }: Command,
  isOutcome: (event: Event) => event is E,
  limitMs: number,
): { readonly outcome: Promise<E | undefined>; stop(): void } {
  let leave = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  const outcome = new Promise<E | undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
    leave = engine.watch(sessionId, (news) => {
      const found = news.kind === 'events' ? news.events.find(isOutcome) : undefined;
      if (found !== undefined) resolve(found);
    });
  });
  const stop = (): void => {
    leave();
    clearTimeout(timer);
  };
  return { outcome, stop };
}
