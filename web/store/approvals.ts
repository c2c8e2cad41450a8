import { CommandId, RequestId } from '../../src/protocol/ids.ts';
import type { Desk } from './cockpit.ts';

export interface Answer {
  readonly requestId: string;
  readonly sessionId: string;
  readonly behavior: 'allow' | 'deny';
  /** Why not, told to the agent. */
  readonly message?: string;
  /** The arguments with which to go on, when a person changed or completed them. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}

export interface Approvals {
  refreshPermissions(): Promise<void>;
  /** Kept and resent like a message: an answer given without a connection is not lost. */
  answer(answer: Answer): Promise<void>;
}

export function approvals(desk: Desk): Approvals {
  let running = false;
  let again = false;
  const refreshPermissions = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    await fetchPermissions(desk).finally(() => {
      running = false;
    });
    if (!again) return;
    again = false;
    await refreshPermissions();
  };
  return { refreshPermissions, answer: (given) => sendAnswer(desk, given) };
}

/** A list that cannot be fetched now stays as it was: the next event or reconnection asks again. */
async function fetchPermissions({ store, options }: Desk): Promise<void> {
  const permissions = await options.api.permissions().catch(() => undefined);
  if (permissions !== undefined) store.setState({ permissions });
}

async function sendAnswer({ client, options }: Desk, { requestId, sessionId, behavior, message, updatedInput }: Answer): Promise<void> {
  const commandId = CommandId.parse(options.newId());
  const words = message === undefined || message === '' ? {} : { message };
  const changed = updatedInput === undefined ? {} : { updatedInput };
  await client().send({
    commandId,
    sessionId,
    createdAt: options.now(),
    frame: { type: 'permission', commandId, requestId: RequestId.parse(requestId), behavior, ...words, ...changed },
  });
}
