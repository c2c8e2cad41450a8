import type { SessionStart } from '../port/adapter.ts';
import { openclawModeOf } from './modes.ts';
import type { SessionChoices } from './request-id.ts';
import { requestLine } from './request-id.ts';

/** The first step of opening a conversation; the others follow with the answers. The Gateway chooses the id of a new one; its key contains ours. */
export function handshake(opening: SessionStart): readonly string[] {
  const { mode, agentSessionId, cwd } = opening;
  const choices = choicesOf(opening);
  if (mode === 'new') return [requestLine({ for: 'create', wish: choices }, 'sessions.create', { key: `signalbox:${agentSessionId}`, cwd })];
  const purpose = { for: 'resolve', sessionId: agentSessionId, copies: mode === 'fork', wish: choices } as const;
  return [requestLine(purpose, 'sessions.resolve', { sessionId: agentSessionId, allowMissing: true })];
}

const choicesOf = ({ cwd, options: { permissionMode, model, thinking } }: SessionStart): SessionChoices => ({
  cwd,
  mode: openclawModeOf(permissionMode),
  ...(model === undefined ? {} : { model }),
  ...(thinking === undefined ? {} : { thinking }),
});
