import type { Actor } from '../../../src/protocol/actor.ts';
import type { Event, EventBody } from '../../../src/protocol/event.ts';
import type { AgentId, CommandId, RequestId, RunId, SessionId, TurnId } from '../../../src/protocol/ids.ts';
import type { Session } from '../../../src/protocol/session.ts';

const ada: Actor = { kind: 'person', id: 'ada', name: 'Ada' };
const commandId = 'c1' as CommandId;
const turnId = 't1' as TurnId;

/** A session with a bit of everything. `words` is in every place where an agent or a person can put text. */
export function sampleEvents(words: string): readonly Event[] {
  const bodies: readonly EventBody[] = [
    { type: 'session.created', agent: 'demo' as AgentId, cwd: `/work/${words}`, node: 'n', owner: 'ada', options: {} },
    { type: 'input.accepted', commandId, text: `Please: ${words}`, mode: 'queue', actor: ada },
    { type: 'input.delivered', commandId, run: 'r1' as RunId },
    { type: 'turn.started', turnId, cause: 'input', commandId },
    { type: 'user.message', text: `Please: ${words}`, commandId, origin: 'person' },
    { type: 'assistant.thinking', messageId: 'm1', index: 0, text: `Thinking of ${words}` },
    { type: 'tool.started', toolUseId: 'u1', name: `Task ${words}`, input: { description: words, prompt: words } },
    { type: 'assistant.text', messageId: 'm2', index: 0, text: `Inside: ${words}`, parentToolUseId: 'u1' },
    { type: 'tool.started', toolUseId: 'u2', name: 'Run', input: { command: `echo ${words}` }, parentToolUseId: 'u1' },
    { type: 'permission.requested', requestId: 'q1' as RequestId, agentRequestId: 'q1', toolUseId: 'u2', tool: 'Run', input: { command: words }, kind: 'tool' },
    { type: 'permission.resolved', requestId: 'q1' as RequestId, outcome: 'denied', behavior: 'deny', message: words, actor: ada },
    { type: 'tool.completed', toolUseId: 'u2', output: `Exit 1\n${words}`, isError: true, parentToolUseId: 'u1' },
    { type: 'tool.completed', toolUseId: 'u1', output: words, isError: false },
    { type: 'tool.started', toolUseId: 'u3', name: 'Edit', input: { file_path: words, old_string: 'a', new_string: words } },
    { type: 'tool.completed', toolUseId: 'u3', output: 'ok', isError: false, change: { kind: 'edit', path: words, patch: `@@ -1 +1 @@\n-a\n+${words}` } },
    { type: 'context.compacted', trigger: words, preTokens: 150_000, postTokens: 9_000 },
    { type: 'assistant.text', messageId: 'm3', index: 0, text: `Done with \`code\`:\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n${words}` },
    { type: 'notice.shown', level: 'warning', text: words },
    { type: 'unrecognised', raw: words },
    {
      type: 'turn.completed',
      turnId,
      commandId,
      stopReason: 'error',
      isError: true,
      interrupted: false,
      denials: 1,
      durationMs: 1234,
      costUsd: 0.01,
      contextTokens: 9_000,
      errors: [words],
    },
    { type: 'item.marked', target: 17, item: 'block:m3:0', star: true, tags: [words], note: words, actor: ada },
  ];
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString() }) as Event);
}

export const sampleSession = (words: string): Session => ({
  id: 's1' as SessionId,
  agent: 'demo' as AgentId,
  title: `About ${words}`,
  cwd: `/work/${words}`,
  projectId: 'p',
  project: words,
  status: 'idle',
  statusCause: { seq: 1, cause: 'x' },
  control: 'here',
  reachable: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:20:00.000Z',
  lastSeq: 21,
  waiting: 0,
  queue: [],
  tags: [words],
  star: false,
  note: words,
  hostname: 'h',
  platform: 'linux',
  node: 'n',
  owner: 'ada',
});
