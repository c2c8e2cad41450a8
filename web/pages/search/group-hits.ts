import type { Hit } from '../../../src/protocol/api/search.ts';

export interface HitGroup {
  readonly sessionId: string;
  /** Best first, as the server ranked them. */
  readonly hits: readonly Hit[];
}

/** Groups hits by session, in the order of each session's best hit. */
export function groupHits(hits: readonly Hit[]): readonly HitGroup[] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    const known = groups.get(hit.sessionId);
    if (known === undefined) groups.set(hit.sessionId, [hit]);
    else known.push(hit);
  }
  return [...groups].map(([sessionId, own]) => ({ sessionId, hits: own }));
}
