import type { RawImage } from '../../protocol/observation.ts';
import type { Opening, SendIntent, Verdict } from '../adapter.ts';
import { idKept, notificationLine, requestLine, resultLine } from '../formats/json-rpc.ts';
import { MARK } from './mark.ts';
import { idOf } from './purpose.ts';
import { settingRequest } from './settings.ts';
import type { State } from './state.ts';
import { lookUp } from './state.ts';
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
      throw new Error('ACP has no way to put files back; the capabilities say so');
    case 'answer':
      return answerLines(intent, state);
  }
}

/** The handshake. Its id carries what is to follow. */
export function greeting({ cwd, mode, agentSessionId: sessionId, options }: Opening): readonly string[] {
  const { model, permissionMode, thinking } = options;
  const chosen = { ...(model === undefined ? {} : { model }), ...(permissionMode === undefined ? {} : { permissionMode }) };
  const wish = { cwd, mode, sessionId, ...chosen, ...(thinking === undefined ? {} : { thinking }) };
  return [
    requestLine(idOf({ for: 'hello', wish }), 'initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'signalbox', title: 'Signalbox', version: '1' },
    }),
  ];
}

/** Only ever one at a time: what agents do with a second message while they work was seen to be anything at all. */
function inputLines({ commandId: inputId, text, images }: Extract<SendIntent, { kind: 'input' }>, state: State): readonly string[] {
  const mark = requestLine(idOf({ for: 'begin', inputId }), MARK, {});
  // The answer to the mark brings the reason.
  if (state.session.phase === 'refused') return [mark];
  const prompt = [...images.map(imageBlock), ...(text === '' ? [] : [{ type: 'text', text }])];
  const id = idOf({ for: 'input', inputId, isSlash: text.startsWith('/') });
  return [mark, requestLine(id, 'session/prompt', { sessionId: sessionOf(state), prompt })];
}

const imageBlock = ({ mediaType: mimeType, base64: data }: RawImage) => ({ type: 'image', mimeType, data });

const sessionOf = ({ session }: State): string => (session.phase === 'open' ? session.id : '');

/** The protocol has whoever cancels answer what is still asked. */
function interruptLines(requestId: string, state: State): readonly string[] {
  const id = requestId.startsWith('interrupt:') ? requestId : `interrupt:${requestId}`;
  const open = Object.keys(state.asks).map((ask) => resultLine(idKept(ask), CANCELLED));
  return [notificationLine('session/cancel', { sessionId: sessionOf(state) }), ...open, requestLine(id, MARK, {})];
}

const CANCELLED = { outcome: { outcome: 'cancelled' } };

function answerLines({ agentRequestId, input, verdict }: Extract<SendIntent, { kind: 'answer' }>, state: State): readonly string[] {
  const ask = lookUp(state.asks, agentRequestId);
  const optionId = ask === undefined ? null : isAllowed(verdict, input) ? (grantedBy(verdict) ?? ask.allow) : ask.reject;
  const answer = resultLine(idKept(agentRequestId), optionId === null ? CANCELLED : { outcome: { outcome: 'selected', optionId } });
  const stop = verdict.behavior === 'deny' && verdict.interrupt ? [notificationLine('session/cancel', { sessionId: sessionOf(state) })] : [];
  return [answer, ...stop];
}

/** The protocol cannot carry changed arguments: what a person has changed must not run as it was. */
const isAllowed = (verdict: Verdict, input: Readonly<Record<string, unknown>>): boolean =>
  verdict.behavior === 'allow' && (verdict.updatedInput === undefined || JSON.stringify(verdict.updatedInput) === JSON.stringify(input));

function grantedBy(verdict: Verdict): string | undefined {
  const optionId = verdict.behavior === 'allow' ? verdict.granted?.suggestions[0]?.optionId : undefined;
  return typeof optionId === 'string' ? optionId : undefined;
}
