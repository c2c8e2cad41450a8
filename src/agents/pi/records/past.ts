import { completeLines, linesFromEnd, missingResults, summaryIn } from '../../formats/record-lines.ts';
import type { AgentPast, PastMessage, PastRecord } from '../../port/adapter.ts';
import type { PastLine } from '../../port/archive.ts';
import { factsOf } from '../../port/record-facts.ts';
import { archive } from './archive.ts';
import { idIn, sessionsFor, sessionsOf } from './record-folders.ts';

/** Conversations that can be continued: Pi finds them by id, in the folder where they took place. */
export const past: AgentPast = { root: sessionsOf, folder: sessionsFor, idOf: idIn, readFacts: archive.readFacts, reading, backwards };

function* reading(text: string): Generator<undefined, PastRecord> {
  const lines: PastLine[] = [];
  for (const raw of completeLines(text)) {
    lines.push(archive.read(raw, { facts: factsOf(lines.slice(0, 1)) }));
    yield;
  }
  const branch = walkBack(lines);
  const observed = branch.flatMap(({ observations }) => observations);
  const summary = summaryIn(observed);
  return {
    ...factsOf(lines),
    observations: [...observed, ...missingResults(observed)],
    messageIds: branch.flatMap((line) => [...messagesIn(line)].flatMap(({ id, canContinue }) => (canContinue ? [id] : []))),
    ...(summary !== undefined && { summary }),
  };
}

/** The conversation as Pi itself would continue it: from the last line back through its parents. Lines without ids follow the order of the file. */
function walkBack(lines: readonly PastLine[]): readonly PastLine[] {
  const byId = new Map(lines.map((line) => [line.node?.id, line]));
  const branch = new Set<PastLine>(lines.filter(({ node }) => node === undefined));
  let at = lines.findLast(({ node }) => node !== undefined);
  while (at !== undefined && !branch.has(at)) {
    branch.add(at);
    at = at.node?.parent ? byId.get(at.node.parent) : undefined;
  }
  return lines.filter((line) => branch.has(line));
}

/** A parent is always above its children, so one pass is enough; a line that doesn't contain the wanted id isn't parsed. */
function* backwards(text: string): Generator<PastMessage> {
  let sought: string | null | undefined;
  for (const raw of linesFromEnd(text)) {
    if (sought !== undefined && sought !== null && !raw.includes(sought)) continue;
    const line = archive.read(raw, {});
    if (line.node === undefined || (sought !== undefined && line.node.id !== sought)) continue;
    yield* messagesIn(line);
    sought = line.node.parent;
    if (sought === null) return;
  }
}

/** A message from one of our inputs is known by the input's id; any other by the id of its line. */
function* messagesIn({ node, observations }: PastLine): Generator<PastMessage> {
  const [first] = observations;
  if (node === undefined || first === undefined) return;
  if (first.type === 'user.message') yield { id: first.origin === 'elsewhere' ? (first.itemId ?? node.id) : node.id, canContinue: true };
  else if (first.type !== 'context.compacted' && first.type !== 'notice.shown' && first.type !== 'unrecognised') yield { id: node.id, canContinue: true };
}
