import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first. A file that is missing here only starts later. */
const LONGEST = [
  'reload-page',
  'archive-live',
  'openclaw-live',
  'reload-claude-page',
  'every-surface-page',
  'settings-live',
  'steer-page',
  'keys-page',
  'acp-live',
  'claude-page',
  'pi-live',
  'reload-list-page',
  'composer-page',
  'sign-in-page',
  'bounded-transcript-page',
  'resume-live',
  'web-live',
  'selection-page',
  'palette-and-tiles-page',
  'inspector-page',
  'steer-live',
  'server-problems',
  'codex-live',
  'claude-live',
  'restore-live',
  'deck-page',
  'runtime-live',
  'web-page',
  'session-page',
  'cards-page',
  'inbox-page',
  'claude-dial-in',
  'usage-page',
  'long-session-page',
  'rules-live',
  'accessibility-page',
  'panel-page',
  'push-page',
  'chaos',
  'past-live',
  'people',
  'soak-page',
].map((name) => `/test/scenarios/${name}.test.ts`);

/** Starts the slowest files first, so that none of them runs alone at the end. The rest keeps vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
  return rank === -1 ? LONGEST.length : rank;
}
