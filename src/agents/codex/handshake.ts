import { listedTools } from '../../protocol/agent-tools.ts';
import type { SessionOptions } from '../../protocol/session.ts';
import { notificationLine, requestLine } from '../formats/json-rpc.ts';
import { levelOf } from '../formats/thinking.ts';
import type { SessionStart } from '../port/adapter.ts';
import { policyOf } from './modes.ts';
import { idOf } from './request-id.ts';

/** Handshake and thread at once: Codex (0.166.0) handles them in order, so we don't need to wait. */
export const handshake = (opening: SessionStart): readonly string[] => [
  requestLine(idOf({ for: 'hello' }), 'initialize', {
    clientInfo: { name: 'signalbox', title: 'Signalbox', version: '1' },
    // Only with the experimental API does Codex take tools from its client.
    capabilities: { experimentalApi: opening.toolServer !== undefined, requestAttestation: false },
  }),
  notificationLine('initialized'),
  requestLine(idOf({ for: 'models' }), 'model/list', {}),
  openingLine(opening),
];

/** Codex chooses the id of a thread, also of a copy, and returns it. Earlier turns are already in our transcript, so they are excluded. */
function openingLine({ mode, agentSessionId, cwd, options, toolServer }: SessionStart): string {
  const id = idOf({ for: 'open', mode });
  const params = threadParams(cwd, options);
  const tools = toolServer === undefined ? {} : { dynamicTools: dynamicTools() };
  if (mode === 'new') return requestLine(id, 'thread/start', { ...params, ...tools, ...(options.ephemeral ? { ephemeral: true } : {}) });
  return requestLine(id, mode === 'resume' ? 'thread/resume' : 'thread/fork', { threadId: agentSessionId, excludeTurns: true, ...params });
}

/** Everything not set here comes from the person's own `config.toml`. */
function threadParams(cwd: string, options: SessionOptions): object {
  const config = {
    ...(options.thinking === undefined ? {} : { model_reasoning_effort: levelOf(options.thinking) }),
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

/** Our tools as functions of a thread: Codex (0.166.0) keeps them for the thread's life, through resume and fork, and never asks before it calls one. */
const dynamicTools = (): readonly object[] =>
  listedTools(true).map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));
