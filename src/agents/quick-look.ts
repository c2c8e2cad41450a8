import type { PastFacts } from './adapter.ts';
import type { AgentArchive, PastLine } from './archive.ts';

/** What the ends of a record tell, by the reading of its lines. Where a piece is cut, its first and last line may be halves: those say nothing. */
export const glanceBy =
  (read: AgentArchive['read']): AgentArchive['glance'] =>
  (head, tail) =>
    factsOf([...wholeLines(head), ...wholeLines(tail)].map((line) => read(line, {})));

const wholeLines = (piece: string): readonly string[] => piece.split('\n').filter((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));

/** The folder and the first words are those of the beginning; a title that somebody gave, the model and the time are the last. */
export function factsOf(lines: readonly PastLine[]): PastFacts {
  const told = lines.flatMap(({ facts }) => facts ?? []);
  const cwd = told.find((facts) => facts.cwd !== undefined)?.cwd;
  const title = (told.findLast((facts) => facts.named) ?? told.find((facts) => facts.title !== undefined))?.title;
  const model = told.findLast((facts) => facts.model !== undefined)?.model;
  const lastAt = told.findLast((facts) => facts.lastAt !== undefined)?.lastAt;
  return {
    ...(cwd !== undefined && { cwd }),
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(lastAt !== undefined && { lastAt }),
  };
}
