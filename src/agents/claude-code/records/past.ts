import type { AgentPast, PastRecord } from '../../port/adapter.ts';
import { activeBranch } from './active-branch.ts';
import { type Entry, readLines } from './entry.ts';
import { factsOf, readFacts } from './facts.ts';
import { backwards } from './newest-first.ts';
import { observe } from './observe-conversation.ts';
import { observeLine } from './observe-line.ts';
import { folderOf, projectsOf } from './session-file.ts';

/** The CLI's own records: `projects/<folder>/<session>.jsonl`. A conversation can be continued only in its own folder. */
export const past: AgentPast = {
  root: projectsOf,
  folder: ({ cwd, env }) => `${projectsOf(env)}/${folderOf(cwd)}`,
  idOf: (fileName) => /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(fileName)?.[1],
  readFacts,
  reading,
  backwards,
};

function* reading(text: string): Generator<undefined, PastRecord> {
  const entries = yield* readLines(text);
  const branch = activeBranch(entries);
  const summary = summaryIn(branch);
  return {
    ...factsOf(entries),
    observations: yield* observe(branch),
    messageIds: branch.flatMap(({ line }) => (line?.uuid !== undefined && (line.type === 'user' || line.type === 'assistant') ? [line.uuid] : [])),
    ...(summary !== undefined && { summary }),
  };
}

/** The text that the CLI puts around the summary is for the model, so it is removed. */
function summaryIn(branch: readonly Entry[]): string | undefined {
  const entry = branch.findLast(({ line }) => line?.isCompactSummary);
  const message = entry === undefined ? undefined : observeLine(entry)[0];
  return message?.type === 'user.message' ? message.text : undefined;
}
