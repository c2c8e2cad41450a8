import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Translation } from '../adapter.ts';
import type { RpcError, RpcMessage } from '../formats/json-rpc.ts';
import { errorLine, METHOD_NOT_FOUND, readRpc } from '../formats/json-rpc.ts';
import { errorWords } from './error-words.ts';
import { greeted, opened, refused } from './opening.ts';
import { permissionAsked, withdrawn } from './permissions.ts';
import type { Purpose } from './purpose.ts';
import { purposeOf } from './purpose.ts';
import { settingAnswered, settingRefused } from './settings.ts';
import type { State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import { answered, began, failed } from './turns.ts';
import { updated } from './updates.ts';
import { PermissionRequest, SessionUpdate } from './wire.ts';

export function translate(state: State, line: string): Translation<State> {
  const step = read(state, line);
  return { state: step.state, observations: step.observations, replies: step.replies ?? NO_REPLIES };
}

const NO_REPLIES: readonly string[] = [];

/** Never a throw for a line we did not foresee: it is shown as it came. */
function read(state: State, line: string): Step {
  if (line.trim() === '') return nothing(state);
  const strange = (reason: string): Step => tell(state, { type: 'unrecognised', raw: line, reason } satisfies Observation);
  const message = readRpc(line);
  if (message === undefined) return strange('not a message of JSON-RPC');
  try {
    return heard(state, message) ?? strange(`${nameOf(message)} in a shape not seen before`);
  } catch {
    return strange(`${nameOf(message)} that could not be read`);
  }
}

const nameOf = (message: RpcMessage): string => ('method' in message ? message.method : 'an answer');

function heard(state: State, message: RpcMessage): Step | undefined {
  switch (message.kind) {
    case 'notification':
      return noted(state, message);
    case 'request':
      return message.method === 'session/request_permission' ? asked(state, message) : unserved(state, message);
    case 'result':
      return resulted(state, message.result, message.id);
    case 'error':
      return erred(state, message.error, message.id);
  }
}

function noted(state: State, { method, params }: Extract<RpcMessage, { kind: 'notification' }>): Step | undefined {
  if (method === 'session/update') return news(state, params);
  if (method === '$/cancel_request') return withdrawn(state, params);
  // Extensions of one agent, which the protocol has everybody else pass over.
  return method.startsWith('_') ? nothing(state) : undefined;
}

function news(state: State, params: object): Step | undefined {
  const parsed = z.safeParse(SessionUpdate, params);
  return parsed.success ? updated(state, parsed.data.update) : undefined;
}

function asked(state: State, { id, params }: Extract<RpcMessage, { kind: 'request' }>): Step | undefined {
  const parsed = z.safeParse(PermissionRequest, params);
  return parsed.success ? permissionAsked(state, id, parsed.data) : undefined;
}

/** One that asks for what we do not have must not wait for ever. */
function unserved(state: State, { id, method }: Extract<RpcMessage, { kind: 'request' }>): Step {
  const told: Observation = { type: 'notice.shown', level: 'warning', text: `The agent asked for ${method}, which Signalbox does not offer; it was told so.` };
  const replies = [errorLine(id, { code: METHOD_NOT_FOUND, message: `Signalbox does not offer ${method}` })];
  return { ...(isKnownNotOffered(method) ? nothing(state) : tell(state, told)), replies };
}

/** Agents have files and terminals of their own; OpenCode 1.18.33 tells of every file that it has written whether or not it was offered. */
const isKnownNotOffered = (method: string): boolean => /^(fs|terminal)\//.test(method);

function resulted(state: State, result: unknown, id: string | number): Step | undefined {
  const purpose = purposeOf(id);
  if (purpose === undefined) return markRead(state, id);
  switch (purpose.for) {
    case 'hello':
      return greeted(state, result, purpose.wish);
    case 'new':
    case 'load':
      return opened(state, result, purpose);
    case 'begin':
      return began(state, purpose.inputId);
    case 'input':
      return answered(state, result, purpose);
    case 'set':
      return settingAnswered(state, result, purpose);
  }
}

function erred(state: State, error: RpcError, id: string | number | null): Step | undefined {
  const purpose = purposeOf(id);
  if (purpose === undefined) return id === null ? undefined : markRead(state, id);
  switch (purpose.for) {
    case 'hello':
    case 'new':
    case 'load':
      return refused(state, `${REFUSALS[purpose.for]}: ${errorWords(error)}`);
    // That it has no such method is all that a mark is for.
    case 'begin':
      return began(state, purpose.inputId);
    case 'input':
      return failed(state, error, purpose.inputId);
    case 'set':
      return settingRefused(state, error, purpose);
  }
}

const REFUSALS: Readonly<Record<Extract<Purpose['for'], 'hello' | 'new' | 'load'>, string>> = {
  hello: 'The agent refused the handshake',
  new: 'The agent did not begin a session',
  load: 'The agent could not go on with this conversation',
};

/** The agent has read an interrupt. */
function markRead(state: State, id: string | number): Step | undefined {
  return typeof id === 'string' && id.startsWith('interrupt:') ? tell(state, { type: 'reply', to: id, ok: true }) : undefined;
}
