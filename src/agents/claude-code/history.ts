import type { AgentPast, PastFacts, PastRecord } from '../adapter.ts';
import { backwards } from './history-back.ts';
import { chain } from './history-chain.ts';
import { type Entry, readLine, readLines } from './history-entry.ts';
import { observe, observeOne } from './history-observe.ts';
import { folderOf, projectsOf } from './memory.ts';

/** The CLI's own records: `projects/<folder>/<session>.jsonl`. A conversation can be gone on with only in the folder it was had in. */
export const past: AgentPast = {
  root: projectsOf,
  folder: ({ cwd, env }) => `${projectsOf(env)}/${folderOf(cwd)}`,
  idOf: (fileName) => /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(fileName)?.[1],
  glance: (head, tail) => factsOf([...wholeLines(head), ...wholeLines(tail)]),
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

/** Where a piece of a file is cut, its first and last line may be halves: those say nothing. */
const wholeLines = (piece: string): readonly Entry[] => piece.split('\n').flatMap((raw, index) => (raw.startsWith('{') ? [readLine(raw, index)] : []));

function factsOf(entries: readonly Entry[]): PastFacts {
  const lines = entries.flatMap(({ line }) => line ?? []).filter((line) => !line.isSidechain);
  const title = textIn(lines.findLast((line) => line.type === 'custom-title')?.customTitle) ?? firstPrompt(entries);
  const cwd = lines.find((line) => line.cwd !== undefined)?.cwd;
  const model = lines.findLast((line) => line.type === 'assistant' && line.message?.model !== '<synthetic>')?.message?.model;
  const lastAt = lines.findLast((line) => line.timestamp !== undefined)?.timestamp;
  return {
    ...(cwd !== undefined && { cwd }),
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(lastAt !== undefined && { lastAt }),
  };
}

const TITLE_CHARS = 200;

function firstPrompt(entries: readonly Entry[]): string | undefined {
  for (const entry of entries) {
    if (entry.line?.type !== 'user' || entry.line.isSidechain || entry.line.isCompactSummary) continue;
    const said = observeOne(entry).find((one) => one.type === 'user.message' && one.origin === 'elsewhere');
    if (said?.type === 'user.message') return said.text.slice(0, TITLE_CHARS);
  }
  return undefined;
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The words that the CLI puts around the summary are for the model. */
function summaryIn(branch: readonly Entry[]): string | undefined {
  const line = branch.findLast((entry) => entry.line?.isCompactSummary)?.line;
  const said = line === undefined ? undefined : observeOne({ index: 0, raw: '', line })[0];
  return said?.type === 'user.message' ? said.text : undefined;
}
