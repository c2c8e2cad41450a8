import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by what they cost; one that is missing here only begins later. */
const LONGEST = [
  'reload-page',
  'openclaw-live',
  'every-surface-page',
  'steer-page',
  'acp-live',
  'reload-claude-page',
  'reload-order-page',
  'keys-page',
  'pi-live',
  'sides-page',
  'resume-live',
  'steer-live',
  'claude-page',
  'long-session-page',
  'chaos',
  'everyone-page',
  'composer-page',
  'inbox-page',
  'settings-live',
  'shell-page',
  'archive-live',
  'session-page',
  'keep-live',
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
