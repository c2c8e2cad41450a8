import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first. A file that is missing here only starts later. */
const LONGEST = [
  'reload-page',
  'every-surface-page',
  'cluster',
  'keys-page',
  'steer-page',
  'reload-claude-page',
  'openclaw-live',
  'acp-live',
  'pi-live',
  'claude-page',
  'sign-in-page',
  'bounded-transcript-page',
  'chaos',
  'long-session-page',
  'reload-list-page',
  'inspector-page',
  'composer-page',
  'resume-live',
  'steer-live',
  'selection-page',
  'cards-page',
  'settings-live',
  'inbox-page',
  'push-page',
  'restore-live',
  'palette-and-tiles-page',
  'server-problems',
  'web-page',
  'claude-live',
  'cluster-page',
  'plans-page',
  'hooks-live',
  'archive-live',
  'session-page',
  'worktrees-page',
  'review-page',
  'checkpoints-page',
  'settings-page',
  'deck-page',
  'line-and-pause-page',
  'hostile-page',
  'usage-page',
  'getting-around-page',
  'finish-page',
  'past-live',
  'runtime-live',
  'tools',
  'web-live',
  'cluster-kills',
  'list-page',
  'codex-live',
  'unread-page',
  'panel-page',
  'truth-page',
  'marks-page',
  'accessibility-page',
  'service',
  'people',
  'tools-live',
  'cookie-replay',
  'soak-page',
  'search-page',
  'review-live',
  'plans-live',
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
