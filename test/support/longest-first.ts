import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by what they cost; one that is missing here only begins later. */
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
  'reload-order-page',
  'composer-page',
  'sign-in-page',
  'let-go-page',
  'resume-live',
  'web-live',
  'selection-page',
  'shell-page',
  'sides-page',
  'steer-live',
  'faults',
  'codex-live',
  'claude-live',
  'keep-live',
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
  'everyone-page',
  'panel-page',
  'push-page',
  'chaos',
  'past-live',
  'people',
  'soak-page',
].map((name) => `/test/scenarios/${name}.test.ts`);

/** What takes longest begins first, so that none of it runs alone at the end; the others as vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? LONGEST.length : place;
}
