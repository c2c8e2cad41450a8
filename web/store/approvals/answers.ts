import type { ClientFrame } from '../../../src/protocol/frame.ts';
import { CommandId, RequestId } from '../../../src/protocol/ids.ts';
import type { Remember } from '../../../src/protocol/rule.ts';
import type { PermissionMode } from '../../../src/protocol/session.ts';
import type { SettlingFrame } from '../../client/socket/link.ts';
import type { AppState, GivenAnswer } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';

export interface Answer {
  readonly requestId: string;
  readonly sessionId: string;
  readonly behavior: 'allow' | 'deny';
  /** The reason for a denial, sent to the agent. */
  readonly message?: string;
  /** With a denial: stop the turn too. */
  readonly interrupt?: boolean;
  /** The arguments to continue with, if edited. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** By question. */
  readonly answers?: Readonly<Record<string, string | string[]>>;
  /** For a plan: the mode to continue in. */
  readonly mode?: PermissionMode;
  readonly remember?: Remember;
}

type PermissionFrame = Extract<ClientFrame, { type: 'permission' }>;

/** In the store at once, so that a second press can't answer twice; stored and sent like a message. */
export async function sendAnswer({ store, client, options }: StoreContext, { sessionId, ...answer }: Answer): Promise<void> {
  const { requestId, behavior } = answer;
  if (isSent(givenAnswer(store.getState(), requestId))) return;
  const commandId = CommandId.parse(options.newId());
  store.setState((state) => withAnswer(state, requestId, { phase: 'sent', behavior }));
  const isStored = await client().send({ commandId, sessionId, createdAt: options.now(), frame: frameOf(answer, commandId) });
  if (!isStored) store.setState((state) => withNotice(state, 'warning', NOT_SAVED));
}

const NOT_SAVED = 'This browser couldn’t save your answer (storage is full or blocked). Keep this page open until the card says that it is saved.';

function frameOf({ requestId, message, ...rest }: Omit<Answer, 'sessionId'>, commandId: CommandId): PermissionFrame {
  const reason = message === undefined || message === '' ? {} : { message };
  return { type: 'permission', commandId, requestId: RequestId.parse(requestId), ...rest, ...reason };
}

const isSent = (given: GivenAnswer | undefined): boolean => given !== undefined && given.phase !== 'refused';

/** Whether the user answered it on this page and the server hasn't refused. */
export const isAnsweredHere = (state: AppState, requestId: string): boolean => isSent(givenAnswer(state, requestId));

/** The answer given on this page; one from before a reload is still in the outbox. */
export function givenAnswer(state: AppState, requestId: string): GivenAnswer | undefined {
  const given = state.answers.get(requestId);
  if (given !== undefined) return given;
  const unsent = state.unsent.find(({ frame }) => frame.type === 'permission' && frame.requestId === requestId)?.frame;
  return unsent?.type === 'permission' ? sentBefore(unsent) : undefined;
}

// The same object on every call, so that selectors see no change.
const SENT = { allow: { phase: 'sent', behavior: 'allow' }, deny: { phase: 'sent', behavior: 'deny' } } as const;
const sentBefore = ({ behavior }: PermissionFrame): GivenAnswer => SENT[behavior];

const withAnswer = (state: AppState, requestId: string, given: GivenAnswer): AppState => ({ ...state, answers: new Map(state.answers).set(requestId, given) });

/** The card shows the result of its answer; without a visible card, a notice does. */
export function settleAnswer(state: AppState, { requestId, behavior }: PermissionFrame, frame: SettlingFrame): AppState {
  if (frame.type === 'ack') return withAnswer(state, requestId, { phase: 'durable', behavior });
  const refused = withAnswer(state, requestId, { phase: 'refused', behavior, code: frame.code, message: frame.message });
  const isShown = state.permissions.some((each) => each.requestId === requestId) || state.left.some((each) => each.permission.requestId === requestId);
  return isShown ? refused : withNotice(refused, 'error', frame.message);
}
