import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by what they cost; one that is missing here only begins later. */
const LONGEST = [
  'reload-page',
  'openclaw-live',
  'reload-claude-page',
  'every-surface-page',
  'keys-page',
  'steer-page',
  'sign-in-page',
  'claude-page',
  'everyone-page',
  'acp-live',
  'composer-page',
  'reload-order-page',
  'let-go-page',
  'long-session-page',
  'inbox-page',
  'selection-page',
  'sides-page',
  'pi-live',
  'steer-live',
  'resume-live',
  'faults',
  'cards-page',
  'push-page',
  'chaos',
  'shell-page',
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
