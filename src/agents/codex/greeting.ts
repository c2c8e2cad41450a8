import type { SessionOptions } from '../../protocol/session.ts';
import type { Opening } from '../adapter.ts';
import { notificationLine, requestLine } from '../formats/json-rpc.ts';
import { effortOf, policyOf } from './modes.ts';
import { idOf } from './request-id.ts';

/** The handshake and the thread, in one go: Codex (0.166.0) takes them one after the other without being waited for. */
export const greeting = (opening: Opening): readonly string[] => [
  requestLine(idOf({ for: 'hello' }), 'initialize', {
    clientInfo: { name: 'signalbox', title: 'Signalbox', version: '1' },
    capabilities: { experimentalApi: false, requestAttestation: false },
  }),
  notificationLine('initialized'),
  requestLine(idOf({ for: 'models' }), 'model/list', {}),
  openingLine(opening),
];

/** Codex chooses the id of a thread, of a copy too, and tells it in the answer. What it wrote before is in our transcript, so it need not tell it again. */
function openingLine({ mode, agentSessionId, cwd, options }: Opening): string {
  const id = idOf({ for: 'open', mode });
  const params = threadParams(cwd, options);
  if (mode === 'new') return requestLine(id, 'thread/start', { ...params, ...(options.ephemeral ? { ephemeral: true } : {}) });
  return requestLine(id, mode === 'resume' ? 'thread/resume' : 'thread/fork', { threadId: agentSessionId, excludeTurns: true, ...params });
}

/** Whatever is not said here is as the person's own `config.toml` has it. */
function threadParams(cwd: string, options: SessionOptions): object {
  const config = {
    ...(options.thinking === undefined ? {} : { model_reasoning_effort: effortOf(options.thinking) }),
    ...((options.addDirs ?? []).length === 0 ? {} : { 'sandbox_workspace_write.writable_roots': options.addDirs }),
  };
  return {
    cwd,
    ...policyOf(options.permissionMode),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.systemPrompt === undefined ? {} : { baseInstructions: options.systemPrompt }),
    ...(options.appendSystemPrompt === undefined ? {} : { developerInstructions: options.appendSystemPrompt }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}
