import type { AgentPast, PastRecord } from '../../adapter.ts';
import { chain } from './chain.ts';
import { type Entry, readLines } from './entry.ts';
import { factsOf, glance } from './facts.ts';
import { observeOne } from './observe.ts';
import { folderOf, projectsOf } from './session-file.ts';
import { backwards } from './walk-back.ts';
import { observe } from './whole-conversation.ts';

/** The CLI's own records: `projects/<folder>/<session>.jsonl`. A conversation can be gone on with only in the folder it was had in. */
export const past: AgentPast = {
  root: projectsOf,
  folder: ({ cwd, env }) => `${projectsOf(env)}/${folderOf(cwd)}`,
  idOf: (fileName) => /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(fileName)?.[1],
  glance,
  reading,
  backwards,
};

function* reading(text: string): Generator<undefined, PastRecord> {
  const entries = yield* readLines(text);
  const branch = chain(entries);
  const summary = summaryIn(branch);
  return {
    ...factsOf(entries),
    observations: yield* observe(branch),
    messageIds: branch.flatMap(({ line }) => (line?.uuid !== undefined && (line.type === 'user' || line.type === 'assistant') ? [line.uuid] : [])),
    ...(summary !== undefined && { summary }),
  };
}

/** The words that the CLI puts around the summary are for the model. */
function summaryIn(branch: readonly Entry[]): string | undefined {
  const entry = branch.findLast(({ line }) => line?.isCompactSummary);
  const said = entry === undefined ? undefined : observeOne(entry)[0];
  return said?.type === 'user.message' ? said.text : undefined;
}
