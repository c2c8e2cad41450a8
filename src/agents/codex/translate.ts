import type { Translation } from '../adapter.ts';
import type { RpcMessage } from '../formats/json-rpc.ts';
import { errorLine, METHOD_NOT_FOUND, readRpc } from '../formats/json-rpc.ts';
import { answered } from './answers.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { REQUESTS } from './requests.ts';
import type { State, Step } from './state.ts';
import { lookUp, nothing, tell } from './state.ts';
import { unrecognised } from './unrecognised.ts';

export function translate(state: State, line: string): Translation<State> {
  const step = read(state, line);
  return { state: step.state, observations: step.observations, replies: step.replies ?? NO_REPLIES };
}

const NO_REPLIES: readonly string[] = [];

function read(state: State, line: string): Step {
  const message = readRpc(line);
  if (message === undefined) return line.trim() === '' ? nothing(state) : tell(state, unrecognised(line, 'no message of JSON-RPC'));
  return attempt(state, message) ?? strange(state, line, message);
}

/** Never a throw for a line we did not foresee: it is shown as it came. */
function attempt(state: State, message: RpcMessage): Step | undefined {
  try {
    switch (message.kind) {
      case 'notification':
        return lookUp(NOTIFICATIONS, message.method)?.(state, message.params);
      case 'request':
        return lookUp(REQUESTS, message.method)?.(state, message);
      case 'result':
      case 'error':
        return answered(state, message);
    }
  } catch {
    return undefined;
  }
}

/** Whoever asks waits for an answer: without one the turn would never end. */
function strange(state: State, line: string, message: RpcMessage): Step {
  const what = 'method' in message ? message.method : `an answer to ${JSON.stringify(message.id)}`;
  const step = tell(state, unrecognised(line, `not known, or in a shape not seen before: ${what}`));
  if (message.kind !== 'request') return step;
  return { ...step, replies: [errorLine(message.id, { code: METHOD_NOT_FOUND, message: `Signalbox cannot do ${message.method}` })] };
}
