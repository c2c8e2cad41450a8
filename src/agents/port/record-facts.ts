import type { PastFacts } from './adapter.ts';
import type { AgentArchive, PastLine } from './archive.ts';

/** Reads facts from both ends of a record, line by line. Where a part is cut, its first and last lines may be incomplete and are skipped. */
export const factsFromLines =
  (read: AgentArchive['read']): AgentArchive['readFacts'] =>
  (head, tail) =>
    factsOf([...completeLines(head), ...completeLines(tail)].map((line) => read(line, {})));

const completeLines = (piece: string): readonly string[] => piece.split('\n').filter((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));

/** Folder and automatic title come from the start; a chosen title, the model and the time from the end. */
export function factsOf(lines: readonly PastLine[]): PastFacts {
  const observed = lines.flatMap(({ facts }) => facts ?? []);
  const cwd = observed.find((facts) => facts.cwd !== undefined)?.cwd;
  const title = (observed.findLast((facts) => facts.named) ?? observed.find((facts) => facts.title !== undefined))?.title;
  const model = observed.findLast((facts) => facts.model !== undefined)?.model;
  const lastAt = observed.findLast((facts) => facts.lastAt !== undefined)?.lastAt;
  return {
    ...(cwd !== undefined && { cwd }),
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(lastAt !== undefined && { lastAt }),
  };
}
