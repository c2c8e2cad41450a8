import { ownProperty, translator } from '../formats/fold.ts';
import type { RpcMessage } from '../formats/json-rpc.ts';
import { errorLine, METHOD_NOT_FOUND, readRpc } from '../formats/json-rpc.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { REQUESTS } from './requests.ts';
import { answered } from './responses.ts';
import type { State, Step } from './state.ts';

export const translate = translator<State, RpcMessage>({
  parse: readRpc,
  notParsed: 'no message of JSON-RPC',
  read,
  reason: (message) => `not known, or in a shape not seen before: ${'method' in message ? message.method : `an answer to ${JSON.stringify(message.id)}`}`,
  // Codex waits for an answer: without one the turn would never end.
  replies: (message) =>
    message.kind === 'request' ? [errorLine(message.id, { code: METHOD_NOT_FOUND, message: `Signalbox cannot do ${message.method}` })] : [],
});

function read(state: State, message: RpcMessage): Step | undefined {
  switch (message.kind) {
    case 'notification':
      return ownProperty(NOTIFICATIONS, message.method)?.(state, message.params);
    case 'request':
      return ownProperty(REQUESTS, message.method)?.(state, message);
    case 'result':
    case 'error':
      return answered(state, message);
  }
}
