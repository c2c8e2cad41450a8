import { HitKind } from '../../protocol/api/search.ts';

/**
 * What a row is, as a number in `docs` and as extra words of the index, so that a filter narrows a common word without reading its
 * rows. These words start with a private-use character, which no folded text has.
 */
const OWN = '\ue000';

export const facetOf = {
  session: (number: number) => `${OWN}s${number}`,
  agent: (number: number) => `${OWN}a${number}`,
  project: (number: number) => `${OWN}p${number}`,
  tool: (number: number) => `${OWN}t${number}`,
  path: (number: number) => `${OWN}f${number}`,
  kind: (kind: HitKind) => `${OWN}k${HitKind.options.indexOf(kind)}`,
  error: `${OWN}e`,
};

export interface RowFacts {
  readonly kind: HitKind;
  readonly isError: boolean;
  readonly isInherited: boolean;
}

const ERROR = 16;
const INHERITED = 32;

export const packFacts = ({ kind, isError, isInherited }: RowFacts): number =>
  HitKind.options.indexOf(kind) | (isError ? ERROR : 0) | (isInherited ? INHERITED : 0);

export function unpackFacts(facts: number): RowFacts {
  return { kind: HitKind.options[facts & 15] ?? 'output', isError: (facts & ERROR) !== 0, isInherited: (facts & INHERITED) !== 0 };
}

/** How a session touched a file, as bits; `own` if the session did so itself, not only the one it was forked from. */
export const HOW = { named: 1, create: 2, edit: 4, delete: 8, own: 16 } as const;
