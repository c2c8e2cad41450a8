import type { Engine } from '../../engine/engine.ts';
import type { Actor } from '../../protocol/actor.ts';
import { type CommandOf, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { EventOf } from '../../protocol/event.ts';
import type { Answer } from './route.ts';

/** A cold start of the agent takes up to 4 s on a busy machine, and checking many files takes longer. */
const LIMIT_MS = 15_000;

type Rewound = EventOf<'files.rewound'>;

/** Submits the request and waits for the agent's answer. The request stays durable even when the caller has given up. */
export async function rewindFiles(engine: Engine, command: CommandOf<'files.rewind'>, actor: Actor): Promise<Answer | Refusal> {
  const waiting = answerTo(engine, command);
  try {
    const receipt = await engine.submit(command, actor);
    if (isRefusal(receipt)) return receipt;
    const rewound = earlier(engine, command, receipt.seq) ?? (await waiting.answer);
    if (rewound === undefined) return TOO_LATE;
    const { canRewind, files, insertions, deletions, problem } = rewound;
    return { status: 200, body: { commandId: command.commandId, canRewind, files, insertions, deletions, problem } };
  } finally {
    waiting.stop();
  }
}

const TOO_LATE: Refusal = {
  refused: 'conflict',
  message: `The agent hasn’t answered within ${LIMIT_MS / 1000} s. The session shows what it does; send the same commandId again to get the result.`,
};

/** When the same command is sent again, returns the earlier answer. */
function earlier(engine: Engine, { sessionId, commandId }: CommandOf<'files.rewind'>, seq: number): Rewound | undefined {
  const found = engine.events(sessionId, { after: seq, limit: 1000 }).find((event) => event.type === 'files.rewound' && event.commandId === commandId);
  return found?.type === 'files.rewound' ? found : undefined;
}

function answerTo(engine: Engine, { sessionId, commandId }: CommandOf<'files.rewind'>) {
  let leave = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  const answer = new Promise<Rewound | undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS);
    leave = engine.watch(sessionId, (news) => {
      const events = news.kind === 'events' ? news.events : [];
      for (const event of events) if (event.type === 'files.rewound' && event.commandId === commandId) resolve(event);
    });
  });
  const stop = (): void => {
    leave();
    clearTimeout(timer);
  };
  return { answer, stop };
}
