import type { AgentPast, PastMessage, PastRecord } from '../../adapter.ts';
import type { PastLine } from '../../archive.ts';
import { closings, linesUp, summaryIn, wholeLines } from '../../formats/past-lines.ts';
import { factsOf } from '../../quick-look.ts';
import { archive } from './history.ts';
import { idIn, sessionsFor, sessionsOf } from './record-folders.ts';

/** Conversations that can be gone on with: Pi finds them by their id in the folder in which they were had. */
export const past: AgentPast = { root: sessionsOf, folder: sessionsFor, idOf: idIn, glance: archive.glance, reading, backwards };

function* reading(text: string): Generator<undefined, PastRecord> {
  const lines: PastLine[] = [];
  for (const raw of wholeLines(text)) {
    lines.push(archive.read(raw, { facts: factsOf(lines.slice(0, 1)) }));
    yield;
  }
  const branch = walkBack(lines);
  const told = branch.flatMap(({ observations }) => observations);
  const summary = summaryIn(told);
  return {
    ...factsOf(lines),
    observations: [...told, ...closings(told)],
    messageIds: branch.flatMap((line) => [...messagesIn(line)].flatMap(({ id, canGoOn }) => (canGoOn ? [id] : []))),
    ...(summary !== undefined && { summary }),
  };
}

/** The conversation as Pi itself would go on with it: from the last line back over its parents. Lines without ids are in the order of the file. */
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

/** A parent always stands above its children, so one way up is enough; and a line in which the id sought does not even occur is not parsed. */
function* backwards(text: string): Generator<PastMessage> {
  let sought: string | null | undefined;
  for (const raw of linesUp(text)) {
    if (sought !== undefined && sought !== null && !raw.includes(sought)) continue;
    const line = archive.read(raw, {});
    if (line.node === undefined || (sought !== undefined && line.node.id !== sought)) continue;
    yield* messagesIn(line);
    sought = line.node.parent;
    if (sought === null) return;
  }
}

/** What was said by an input of ours is known by its id; all else by that of its line. */
function* messagesIn({ node, observations }: PastLine): Generator<PastMessage> {
  const [first] = observations;
  if (node === undefined || first === undefined) return;
  if (first.type === 'user.message') yield { id: first.origin === 'elsewhere' ? (first.itemId ?? node.id) : node.id, canGoOn: true };
  else if (first.type !== 'context.compacted' && first.type !== 'notice.shown' && first.type !== 'unrecognised') yield { id: node.id, canGoOn: true };
}
