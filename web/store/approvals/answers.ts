import type { ClientFrame } from '../../../src/protocol/frame.ts';
import { CommandId, RequestId } from '../../../src/protocol/ids.ts';
import type { Remember } from '../../../src/protocol/rule.ts';
import type { PermissionMode } from '../../../src/protocol/session.ts';
import type { SettlingFrame } from '../../client/socket/link.ts';
import type { Desk } from '../cockpit.ts';
import type { AppState, GivenAnswer } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';

export interface Answer {
  readonly requestId: string;
  readonly sessionId: string;
  readonly behavior: 'allow' | 'deny';
  /** Why not, told to the agent. */
  readonly message?: string;
  /** With a denial: stop the turn too. */
  readonly interrupt?: boolean;
  /** The arguments with which to go on, when a person changed them. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** To a question, by question. */
  readonly answers?: Readonly<Record<string, string | string[]>>;
  /** To a plan: the mode to go on in. */
  readonly mode?: PermissionMode;
  readonly remember?: Remember;
}

type PermissionFrame = Extract<ClientFrame, { type: 'permission' }>;

/** Said at once in the store, so that a second press cannot answer twice; kept and sent like a message. */
export async function sendAnswer({ store, client, options }: Desk, { sessionId, ...answer }: Answer): Promise<void> {
  const { requestId, behavior } = answer;
  if (isOnItsWay(givenAnswer(store.getState(), requestId))) return;
  const commandId = CommandId.parse(options.newId());
  store.setState((state) => withAnswer(state, requestId, { phase: 'sent', behavior }));
  const isKept = await client().send({ commandId, sessionId, createdAt: options.now(), frame: frameOf(answer, commandId) });
  if (!isKept) store.setState((state) => withNotice(state, 'warning', UNKEPT));
}

const UNKEPT =
  'This browser could not keep the answer (its storage is full or forbidden). It is sent from this page alone: leave it open until the card says that it is safe.';

function frameOf({ requestId, message, ...rest }: Omit<Answer, 'sessionId'>, commandId: CommandId): PermissionFrame {
  const words = message === undefined || message === '' ? {} : { message };
  return { type: 'permission', commandId, requestId: RequestId.parse(requestId), ...rest, ...words };
}

const isOnItsWay = (given: GivenAnswer | undefined): boolean => given !== undefined && given.phase !== 'refused';

/** Whether the person answered it on this page, as far as nobody has refused that. */
export const isAnsweredHere = (state: AppState, requestId: string): boolean => isOnItsWay(givenAnswer(state, requestId));

/** What this page knows of an answer to the request; one that was sent before a reload is in the outbox still. */
export function givenAnswer(state: AppState, requestId: string): GivenAnswer | undefined {
  const given = state.answers.get(requestId);
  if (given !== undefined) return given;
  const unsent = state.unsent.find(({ frame }) => frame.type === 'permission' && frame.requestId === requestId)?.frame;
  return unsent?.type === 'permission' ? sentBefore(unsent) : undefined;
}

// One object a frame: whoever asks again must get the same.
const SENT = { allow: { phase: 'sent', behavior: 'allow' }, deny: { phase: 'sent', behavior: 'deny' } } as const;
const sentBefore = ({ behavior }: PermissionFrame): GivenAnswer => SENT[behavior];

const withAnswer = (state: AppState, requestId: string, given: GivenAnswer): AppState => ({ ...state, answers: new Map(state.answers).set(requestId, given) });

/** The card itself says what became of its answer; only one that is out of sight needs a notice. */
export function settleAnswer(state: AppState, { requestId, behavior }: PermissionFrame, frame: SettlingFrame): AppState {
  if (frame.type === 'ack') return withAnswer(state, requestId, { phase: 'durable', behavior });
  const refused = withAnswer(state, requestId, { phase: 'refused', behavior, code: frame.code, message: frame.message });
  const isShown = state.permissions.some((each) => each.requestId === requestId) || state.left.some((each) => each.permission.requestId === requestId);
  return isShown ? refused : withNotice(refused, 'error', frame.message);
}
