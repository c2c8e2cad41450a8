import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demo } from '../../../src/agents/demo/index.ts';
import type { Adapter } from '../../../src/agents/port/adapter.ts';

/** The conversation that another program has open. */
export const CONVERSATION = 'shared';

/** The demo agent has no registry, so this adapter adds the simplest one: a file per process, named by its pid. */
export const registered: Adapter = {
  ...demo,
  registry: {
    folder: (env) => join(env.HOME ?? '', 'registry'),
    pidOf: (fileName) => (fileName.endsWith('.open') ? Number.parseInt(fileName, 10) : undefined),
    read: (_, text) => {
      const [pid, start, agentSessionId] = text.split(' ');
      if (start === undefined || agentSessionId === undefined) return 'torn';
      return { pid: Number(pid), start, agentSessionId, what: 'an editor' };
    },
  },
} as Adapter;

export function writeEntry(setup: { readonly home: string }, pid: number, start: string, conversation = CONVERSATION): void {
  mkdirSync(join(setup.home, 'registry'), { recursive: true });
  writeFileSync(join(setup.home, 'registry', `${pid}.open`), `${pid} ${start} ${conversation}`);
}
