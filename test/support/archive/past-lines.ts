import type { AgentArchive, PastLine } from '../../../src/agents/port/archive.ts';
import { factsOf } from '../../../src/agents/port/record-facts.ts';
import type { KeptObservation } from '../../../src/protocol/observation.ts';
import { OBSERVATIONS } from '../../../src/protocol/observation-manifest.ts';
import { seeded } from '../seeded.ts';

/** Reads the lines of a record one after the other. */
export function readLines(archive: AgentArchive, text: string, agentSessionId = 'this'): readonly PastLine[] {
  const read: PastLine[] = [];
  for (const line of text.split('\n').filter((raw) => raw !== '')) read.push(archive.read(line, { agentSessionId, facts: factsOf(read) }));
  return read;
}

/** One line of the record per line, so that a change is one line of a diff. */
export const printed = (lines: readonly PastLine[]): string => `[\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]\n`;

export const observationsIn = (lines: readonly PastLine[]): readonly KeptObservation[] => lines.flatMap(({ observations }) => observations);

/** Observations that don't match their schema. */
export const invalidObservations = (observations: readonly KeptObservation[]): readonly unknown[] =>
  observations.filter((one) => {
    const result = OBSERVATIONS.find(({ type }) => type === one.type)?.schema['~standard'].validate(one);
    return result === undefined || 'then' in result || result.issues !== undefined;
  });

const WEIRD = ['null', '0', '"x"', '[]', '{}', '-1e999', '"\\ud800"', 'true'];

/** The same text with pieces cut out, doubled, swapped and inserted, by seed. */
export function corruptedText(text: string, seed: number): string {
  const random = seeded(seed);
  const at = (size: number) => Math.floor(random() * size);
  let changed = text;
  for (let times = 1 + at(6); times > 0; times -= 1) {
    const [from, length] = [at(changed.length), 1 + at(40)];
    const piece = changed.slice(from, from + length);
    const replacement = [() => '', () => piece + piece, () => WEIRD[at(WEIRD.length)] ?? '', () => [...piece].reverse().join('')][at(4)]?.() ?? '';
    changed = changed.slice(0, from) + replacement + changed.slice(from + length);
  }
  return changed;
}

/** Every value of a line replaced by an unexpected one, one at a time: valid JSON that no agent ever wrote. */
export function* withUnexpectedValues(line: string): Generator<string> {
  const paths = pathsOf(JSON.parse(line) as unknown);
  for (const path of paths) for (const weird of [null, 0, 'x', [], {}, true]) yield JSON.stringify(replaced(JSON.parse(line), path, weird));
}

function pathsOf(value: unknown, above: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null || above.length > 5) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...above, key], ...pathsOf(inner, [...above, key])]);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const holder = value as Record<string, unknown>;
  holder[key] = replaced(holder[key], rest, by);
  return holder;
}
