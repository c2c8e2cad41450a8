import type { Command, Refusal } from '../../protocol/command.ts';
import { isReservedId, isScriptSession } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';

/** What a person may do with the session of a script: end it. */
const ALLOWED: ReadonlySet<Command['type']> = new Set(['session.stop', 'turn.interrupt']);

/** Only the engine creates sessions of plans, and of an internal agent, and gives the latter input, for every role, tool and route. */
export function refusedForPeople({ deps }: EngineContext, command: Command): Refusal | undefined {
  if (command.type === 'session.create' && isReservedId(command.sessionId))
    return { refused: 'bad-request', message: 'Ids that start with "_" or "p_" are reserved by Signalbox. Choose another one.' };
  if (command.type === 'session.create' && deps.adapters.get(command.agent)?.internal)
    return { refused: 'agent-unavailable', message: `There is no agent "${command.agent}". GET /api/agents lists them.` };
  if (!isScriptSession(command.sessionId) || command.type === 'session.create' || ALLOWED.has(command.type)) return undefined;
  return { refused: 'not-permitted', message: 'Signalbox itself runs this script. You can stop it and read its output; nothing else.' };
}
