import type { Engine } from '../../engine/engine.ts';
import type { Actor } from '../../protocol/actor.ts';
import { type CommandOf, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { Answer } from './route.ts';
import { submitAndWait } from './submit-and-wait.ts';

/** A cold start of the agent takes up to 4 s on a busy machine, and checking many files takes longer. */
const LIMIT_MS = 15_000;
const TOO_LATE = `The agent hasn’t answered within ${LIMIT_MS / 1000} s. The session shows what it does; send the same commandId again to get the result.`;

/** Submits the request and waits for the agent's answer. */
export async function rewindFiles(engine: Engine, command: CommandOf<'files.rewind'>, actor: Actor): Promise<Answer | Refusal> {
  const rewound = await submitAndWait(engine, command, actor, { type: 'files.rewound', limitMs: LIMIT_MS, tooLate: TOO_LATE });
  if (isRefusal(rewound)) return rewound;
  const { canRewind, files, insertions, deletions, problem } = rewound;
  return { status: 200, body: { commandId: command.commandId, canRewind, files, insertions, deletions, problem } };
}
