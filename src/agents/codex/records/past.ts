import type { AgentPast, PastMessage, PastRecord } from '../../adapter.ts';
import type { PastLine } from '../../archive.ts';
import { closings, linesUp, summaryIn, wholeLines } from '../../formats/past-lines.ts';
import { factsOf } from '../../quick-look.ts';
import { archive } from './history.ts';
import { sessionsFolder, threadIn } from './record-folders.ts';

/** Threads that can be gone on with. Codex finds one by its id, wherever it lies; which folder it was had in is told in it. */
export const past: AgentPast = {
  root: sessionsFolder,
  folder: ({ env }) => sessionsFolder(env),
  isByTime: true,
  idOf: threadIn,
  glance: archive.glance,
  reading,
  backwards,
};

/** A rollout has no branches: its lines are the thread. That of a copy begins where it left the original. */
function* reading(text: string): Generator<undefined, PastRecord> {
  const lines: PastLine[] = [];
  for (const raw of wholeLines(text)) {
    lines.push(archive.read(raw, { facts: factsOf(lines.slice(0, FACT_LINES)) }));
    yield;
  }
  const told = lines.flatMap(({ observations }) => observations);
  const summary = summaryIn(told);
  return {
    ...factsOf(lines),
    observations: [...told, ...closings(told)],
    messageIds: lines.flatMap((line) => [...messagesIn(line)].map(({ id }) => id)),
    ...(summary !== undefined && { summary }),
  };
}

/** The folder and the model stand in the first of them: to look through all for each would take long. */
const FACT_LINES = 20;

function* backwards(text: string): Generator<PastMessage> {
  // Most lines are what was sent to the model.
  for (const raw of linesUp(text)) if (raw.includes('"item_completed"')) yield* [...messagesIn(archive.read(raw, {}))].reverse();
}

/** What was said by an input of ours is known by its id too. */
function* messagesIn({ observations }: PastLine): Generator<PastMessage> {
  for (const one of observations) {
    if (one.type === 'user.message' && one.origin === 'elsewhere') {
      if (one.itemId !== undefined && one.itemId !== one.uuid) yield { id: one.itemId, canGoOn: true };
      if (one.uuid !== undefined) yield { id: one.uuid, canGoOn: true };
    }
    if ((one.type === 'assistant.text' || one.type === 'assistant.thinking') && one.uuid !== undefined) yield { id: one.uuid, canGoOn: true };
  }
}
