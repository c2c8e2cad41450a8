import type { RawImage } from '../../protocol/observation.ts';
import { ownProperty } from '../formats/fold.ts';
import { notificationLine, parseId, requestLine, resultLine } from '../formats/json-rpc.ts';
import type { SendIntent, SessionStart, Verdict } from '../port/adapter.ts';
import { LOGIN_REQUEST, loginLines } from './login.ts';
import { PROBE_METHOD } from './probe.ts';
import { idOf } from './request-id.ts';
import { settingRequest } from './settings.ts';
import type { State } from './state.ts';
import { PROTOCOL_VERSION } from './wire.ts';

/** The lines for an intent. */
export function encode(intent: SendIntent, state: State): readonly string[] {
  switch (intent.kind) {
    case 'input':
      return inputLines(intent, state);
    case 'interrupt':
      return interruptLines(intent.requestId, state);
    case 'set':
      return [settingRequest(state, sessionOf(state), intent)];
    case 'rewind':
      throw new Error('ACP has no way to restore files; the capabilities say so');
    case 'tool-answer':
      throw new Error('ACP agents have no tools on the bus; its capabilities say so');
    case 'answer':
      return answerLines(intent, state);
  }
}

/** The id carries the session's choices for the next step. */
export function handshake({ cwd, mode, agentSessionId: sessionId, options }: SessionStart): readonly string[] {
  const { model, thinking } = options;
  const permissionMode = options.ownMode ?? options.permissionMode;
  const chosen = { ...(model === undefined ? {} : { model }), ...(permissionMode === undefined ? {} : { permissionMode }) };
  const choices = { cwd, mode, sessionId, ...chosen, ...(thinking === undefined ? {} : { thinking }) };
  return [
    requestLine(idOf({ for: 'hello', wish: choices }), 'initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'signalbox', title: 'Signalbox', version: '1' },
    }),
  ];
}

/** Only one at a time: agents were seen to treat a second message during a turn in many different ways. */
function inputLines({ commandId: inputId, text, images }: Extract<SendIntent, { kind: 'input' }>, state: State): readonly string[] {
  const probe = requestLine(idOf({ for: 'begin', inputId }), PROBE_METHOD, {});
  // The answer to the probe reports the reason.
  if (state.session.phase === 'refused') return [probe];
  const prompt = [...images.map(imageBlock), ...(text === '' ? [] : [{ type: 'text', text }])];
  const id = idOf({ for: 'input', inputId, isSlash: text.startsWith('/') });
  return [probe, requestLine(id, 'session/prompt', { sessionId: sessionOf(state), prompt })];
}

const imageBlock = ({ mediaType: mimeType, base64: data }: RawImage) => ({ type: 'image', mimeType, data });

const sessionOf = ({ session }: State): string => (session.phase === 'open' ? session.id : '');

/** The protocol requires the canceling side to answer open requests. */
function interruptLines(requestId: string, state: State): readonly string[] {
  const id = requestId.startsWith('interrupt:') ? requestId : `interrupt:${requestId}`;
  const open = Object.keys(state.asks).map((ask) => resultLine(parseId(ask), CANCELLED));
  return [notificationLine('session/cancel', { sessionId: sessionOf(state) }), ...open, requestLine(id, PROBE_METHOD, {})];
}

const CANCELLED = { outcome: { outcome: 'cancelled' } };

function answerLines({ agentRequestId, input, verdict }: Extract<SendIntent, { kind: 'answer' }>, state: State): readonly string[] {
  if (agentRequestId === LOGIN_REQUEST) return loginLines(state, verdict);
  const ask = ownProperty(state.asks, agentRequestId);
  const optionId = ask === undefined ? null : isAllowed(verdict, input) ? (grantedBy(verdict) ?? ask.allow) : ask.reject;
  const answer = resultLine(parseId(agentRequestId), optionId === null ? CANCELLED : { outcome: { outcome: 'selected', optionId } });
  const stop = verdict.behavior === 'deny' && verdict.interrupt ? [notificationLine('session/cancel', { sessionId: sessionOf(state) })] : [];
  return [answer, ...stop];
}

/** The protocol can't carry edited arguments: an edited call must not run in its original form. */
const isAllowed = (verdict: Verdict, input: Readonly<Record<string, unknown>>): boolean =>
  verdict.behavior === 'allow' && (verdict.updatedInput === undefined || JSON.stringify(verdict.updatedInput) === JSON.stringify(input));

function grantedBy(verdict: Verdict): string | undefined {
  const optionId = verdict.behavior === 'allow' ? verdict.granted?.suggestions[0]?.optionId : undefined;
  return typeof optionId === 'string' ? optionId : undefined;
}
