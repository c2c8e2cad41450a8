import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentArchive } from '../../src/agents/archive.ts';
import { memoryFolder } from '../../src/agents/demo/memory.ts';
import type { ItemId } from '../../src/protocol/ids.ts';

/** The demo agent's memory as a record, with the ids that its stream gives. */
export const demoRecords: AgentArchive = {
  version: 1,
  roots: (env) => [memoryFolder(env)],
  recordOf: (path) => (path.endsWith('.jsonl') && !path.includes('/') ? { kind: 'lines', agentSessionId: path.slice(0, -'.jsonl'.length) } : undefined),
  glance: () => ({}),
  read: (raw) => {
    const line = JSON.parse(raw) as { type: string; id: string; text?: string; cwd?: string; messages?: string[]; parent?: string };
    const node = line.parent === undefined ? {} : { node: { id: line.type === 'user' ? line.id : (line.messages?.[0] ?? ''), parent: line.parent } };
    if (line.type === 'session') return { observations: [], facts: { cwd: line.cwd ?? '' } };
    const text = line.text ?? '';
    if (line.type === 'user') {
      return { observations: [{ type: 'user.message', itemId: line.id as ItemId, uuid: line.id, text, origin: 'elsewhere' }], facts: { title: text }, ...node };
    }
    const said = line.messages?.at(-1);
    if (line.type !== 'answered' || said === undefined) return { observations: [] };
    return { observations: [{ type: 'assistant.text', itemId: said as ItemId, uuid: said, messageId: said, index: 0, text }], ...node };
  },
};

/** A turn of the demo agent in another program. */
export function saidElsewhere(home: string, agentSessionId: string, name: string, more: { readonly cwd?: string; readonly parent?: string } = {}): void {
  const file = join(memoryFolder({ HOME: home }), `${agentSessionId}.jsonl`);
  const add = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (more.cwd !== undefined) add({ type: 'session', id: agentSessionId, cwd: more.cwd });
  const below = (parent: string) => (more.parent === undefined ? {} : { parent });
  add({ type: 'user', id: name, text: `asked ${name}`, ...below(more.parent ?? '') });
  add({ type: 'answered', id: name, text: `answer to ${name}`, messages: [`${name}-said`], ...below(name) });
}
