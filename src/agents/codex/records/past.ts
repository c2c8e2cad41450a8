import { completeLines, linesFromEnd, missingResults, summaryIn } from '../../formats/record-lines.ts';
import type { AgentPast, PastMessage, PastRecord } from '../../port/adapter.ts';
import type { PastLine } from '../../port/archive.ts';
import { factsOf } from '../../port/record-facts.ts';
import { archive } from './archive.ts';
import { sessionsFolder, threadIn } from './record-folders.ts';

/** Threads that can be continued. Codex finds a thread by its id in any folder; the record names the working folder. */
export const past: AgentPast = {
  root: sessionsFolder,
  folder: ({ env }) => sessionsFolder(env),
  isByTime: true,
  idOf: threadIn,
  readFacts: archive.readFacts,
  reading,
  backwards,
};

/** A rollout has no branches: its lines are the thread. A copy's rollout starts where it left the original. */
function* reading(text: string): Generator<undefined, PastRecord> {
  const lines: PastLine[] = [];
  for (const raw of completeLines(text)) {
    lines.push(archive.read(raw, { facts: factsOf(lines.slice(0, FACT_LINES)) }));
    yield;
  }
  const observed = lines.flatMap(({ observations }) => observations);
  const summary = summaryIn(observed);
  return {
    ...factsOf(lines),
    observations: [...observed, ...missingResults(observed)],
    messageIds: lines.flatMap((line) => [...messagesIn(line)].map(({ id }) => id)),
    ...(summary !== undefined && { summary }),
  };
}

/** Folder and model are among the first lines; searching all of them for each line would be slow. */
const FACT_LINES = 20;

function* backwards(text: string): Generator<PastMessage> {
  // Most lines are what the model was sent, so they aren't parsed.
  for (const raw of linesFromEnd(text)) if (raw.includes('"item_completed"')) yield* [...messagesIn(archive.read(raw, {}))].reverse();
}

/** A message from one of our inputs is also known by the input's id. */
function* messagesIn({ observations }: PastLine): Generator<PastMessage> {
  for (const one of observations) {
    if (one.type === 'user.message' && one.origin === 'elsewhere') {
      if (one.itemId !== undefined && one.itemId !== one.uuid) yield { id: one.itemId, canContinue: true };
      if (one.uuid !== undefined) yield { id: one.uuid, canContinue: true };
    }
    if ((one.type === 'assistant.text' || one.type === 'assistant.thinking') && one.uuid !== undefined) yield { id: one.uuid, canContinue: true };
  }
}
