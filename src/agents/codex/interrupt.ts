import { requestLine } from '../formats/json-rpc.ts';
import { idOf } from './request-id.ts';
import type { State } from './state.ts';

/** An open request is closed with the turn (seen with 0.166.0). */
export const interruptLine = ({ threadId }: State, requestId: string, turnId: string): string =>
  requestLine(idOf({ for: 'interrupt', requestId }), 'turn/interrupt', { threadId: threadId ?? '', turnId });
