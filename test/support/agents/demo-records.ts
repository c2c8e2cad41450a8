import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { archive } from '../../../src/agents/demo/archive.ts';
import { sessionFolder } from '../../../src/agents/demo/program/session-file.ts';
import type { AgentArchive, PastLine } from '../../../src/agents/port/archive.ts';

/** The demo agent's archive, but lines that name a parent become nodes of a tree. The agent itself never branches within a file. */
export const demoRecords: AgentArchive = { ...archive, read: (raw, context) => ({ ...archive.read(raw, context), ...nodeOf(raw) }) };

function nodeOf(raw: string): Pick<PastLine, 'node'> {
  const { type, id, messages, parent } = JSON.parse(raw) as { type: string; id: string; messages?: string[]; parent?: string };
  return parent === undefined ? {} : { node: { id: type === 'user' ? id : (messages?.at(-1) ?? id), parent } };
}

/** Adds a turn to the record, as another program would. */
export function addExternalTurn(home: string, agentSessionId: string, name: string, more: { readonly cwd?: string; readonly parent?: string } = {}): void {
  const file = join(sessionFolder({ HOME: home }), `${agentSessionId}.jsonl`);
  const add = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (more.cwd !== undefined) add({ type: 'session', id: agentSessionId, cwd: more.cwd });
  const below = (parent: string) => (more.parent === undefined ? {} : { parent });
  add({ type: 'user', id: name, text: `asked ${name}`, ...below(more.parent ?? '') });
  add({ type: 'answered', id: name, text: `answer to ${name}`, messages: [`${name}-said`], ...below(name) });
}
