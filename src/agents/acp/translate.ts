import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing, translator } from '../formats/fold.ts';
import type { RpcError, RpcMessage } from '../formats/json-rpc.ts';
import { errorLine, METHOD_NOT_FOUND, readRpc } from '../formats/json-rpc.ts';
import { errorMessage } from './error-message.ts';
import { askForLogin, loggedIn, loginFailed, needsLogin } from './login.ts';
import { handshakeAnswered, opened, openingLine, refused } from './open-session.ts';
import { permissionAsked, withdrawn } from './permissions.ts';
import type { Purpose } from './request-id.ts';
import { purposeOf } from './request-id.ts';
import { settingAnswered, settingRefused } from './settings.ts';
import type { State, Step } from './state.ts';
import { answered, failed, turnStarted } from './turns.ts';
import { updated } from './updates.ts';
import { PermissionRequest, SessionUpdate } from './wire.ts';

export const translate = translator<State, RpcMessage>({
  parse: readRpc,
  notParsed: 'not a message of JSON-RPC',
  read: readMessage,
  reason: (message) => `${'method' in message ? message.method : 'an answer'} in a shape not seen before`,
});

function readMessage(state: State, message: RpcMessage): Step | undefined {
  switch (message.kind) {
    case 'notification':
      return notificationReceived(state, message);
    case 'request':
      return message.method === 'session/request_permission' ? requestReceived(state, message) : refuseRequest(state, message);
    case 'result':
      return resultReceived(state, message.result, message.id);
    case 'error':
      return errorReceived(state, message.error, message.id);
  }
}

function notificationReceived(state: State, { method, params }: Extract<RpcMessage, { kind: 'notification' }>): Step | undefined {
  if (method === 'session/update') return sessionUpdated(state, params);
  if (method === '$/cancel_request') return withdrawn(state, params);
  // Extensions of one agent; the protocol says to ignore unknown ones. (Qwen Code 0.24.4 repeats there what the answer to `session/set_mode` says.)
  return method.startsWith('_') || method.startsWith('qwen/notify/') ? emitNothing(state) : undefined;
}

function sessionUpdated(state: State, params: object): Step | undefined {
  const parsed = z.safeParse(SessionUpdate, params);
  return parsed.success ? updated(state, parsed.data.update) : undefined;
}

function requestReceived(state: State, { id, params }: Extract<RpcMessage, { kind: 'request' }>): Step | undefined {
  const parsed = z.safeParse(PermissionRequest, params);
  return parsed.success ? permissionAsked(state, id, parsed.data) : undefined;
}

/** An unsupported request still needs an answer, or the agent would wait forever. */
function refuseRequest(state: State, { id, method }: Extract<RpcMessage, { kind: 'request' }>): Step {
  const observed: Observation = {
    type: 'notice.shown',
    level: 'warning',
    text: `The agent asked for ${method}, which Signalbox does not support. It got an error.`,
  };
  const replies = [errorLine(id, { code: METHOD_NOT_FOUND, message: `Signalbox does not offer ${method}` })];
  return { ...(isKnownNotOffered(method) ? emitNothing(state) : emit(state, observed)), replies };
}

/**
 * Agents have their own files and terminals; OpenCode 1.18.33 reports every file it writes, even to clients that didn't offer this. Qwen Code 0.24.4 asks
 * after every call for messages that its own editor queued. Names that start with `_` are extensions, which the protocol says to refuse.
 */
const isKnownNotOffered = (method: string): boolean => /^(?:(?:fs|terminal|craft)\/|_)/.test(method);

function resultReceived(state: State, result: unknown, id: string | number): Step | undefined {
  const purpose = purposeOf(id);
  if (purpose === undefined) return probeAnswered(state, id);
  switch (purpose.for) {
    case 'hello':
      return handshakeAnswered(state, result, purpose.wish);
    case 'new':
    case 'load':
      return opened(state, result, purpose);
    case 'login':
      return loggedIn(state);
    case 'begin':
      return turnStarted(state, purpose.inputId);
    case 'input':
      return answered(state, result, purpose);
    case 'set':
      return settingAnswered(state, result, purpose);
  }
}

function errorReceived(state: State, error: RpcError, id: string | number | null): Step | undefined {
  const purpose = purposeOf(id);
  if (purpose === undefined) return id === null ? undefined : probeAnswered(state, id);
  switch (purpose.for) {
    case 'new':
    case 'load':
      if (needsLogin(state, error)) return askForLogin(state, error, openingLine(purpose));
      return refused(state, `${REFUSALS[purpose.for]}: ${errorMessage(error)}`);
    case 'login':
      return loginFailed(state, error, purpose);
    case 'hello':
      return refused(state, `${REFUSALS[purpose.for]}: ${errorMessage(error)}`);
    // An "unknown method" error is the expected answer to a probe.
    case 'begin':
      return turnStarted(state, purpose.inputId);
    case 'input':
      return failed(state, error, purpose.inputId);
    case 'set':
      return settingRefused(state, error, purpose);
  }
}

const REFUSALS: Readonly<Record<Extract<Purpose['for'], 'hello' | 'new' | 'load'>, string>> = {
  hello: 'The agent refused the handshake',
  new: 'The agent did not start a session',
  load: 'The agent could not resume this conversation',
};

/** The agent has read an interrupt. */
function probeAnswered(state: State, id: string | number): Step | undefined {
  return typeof id === 'string' && id.startsWith('interrupt:') ? emit(state, { type: 'reply', to: id, ok: true }) : undefined;
}
