import type { Page } from 'playwright-core';
import type { Item } from '../../src/domain/transcript/item.ts';
import { itemOf, openTranscript } from '../../src/domain/transcript/transcript.ts';
import type { Event } from '../../src/protocol/event.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Actor, Setup } from './setup.ts';

/** A row as it is on the screen: where it stands, what it is, and its words without what only adorns them. */
interface Shown {
  readonly kind: string;
  readonly words: string;
}

const WALK_MS = 60_000;
const ROW_MS = 100;
/** Read at a time. */
const SCREENS = 10;

/** Reads a whole session on the screen, from its first row to its last, and says in words how it differs from the journal. */
export async function comparePage(setup: Setup, { id }: Actor, typed: readonly string[]): Promise<readonly string[]> {
  const events = await setup.events(id);
  const accepted = events.flatMap((event) => (event.type === 'input.accepted' ? [event.text] : []));
  const once = sameList(accepted, typed) ? [] : [`typed ${JSON.stringify(typed)}, accepted ${JSON.stringify(accepted)}`];
  const expected = expectedOf(events);
  const { page } = setup.watched;
  await page.locator(`[data-tile="${id}"] h2 a`).click();
  await page.waitForURL(`**/s/${id}`);
  const { shown, places } = await walk(page, [...expected.keys()]);
  await page.goBack();
  await page.locator(`[data-tile="${id}"]`).waitFor();
  return [...once, ...differences(expected, shown), ...placesAround(expected, shown, places)];
}

const sameList = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((text, at) => text === b[at]);

/** What the journal, folded as a whole, gives to show. */
function expectedOf(events: readonly Event[]): ReadonlyMap<string, Shown> {
  const transcript = openTranscript(events);
  const items = transcript.rows.flatMap((key) => itemOf(transcript, key) ?? []);
  return new Map(items.map((item) => [`e${item.seq}`, { kind: item.kind, words: lettersOf(wordsOf(item)) }]));
}

function wordsOf(item: Item): string {
  if (item.kind === 'user') return item.text ?? '';
  return item.kind === 'text' ? item.text.replace(/```\w*/g, '') : '';
}

/** Letters alone: what Markdown makes of the signs between them is drawn, not written. */
const lettersOf = (text: string): string => text.replace(/\P{L}/gu, '');

interface Walk {
  readonly shown: ReadonlyMap<string, Shown>;
  /** Where the sheet stood at each screen that was read. */
  readonly places: readonly Place[];
}

async function walk(page: Page, ids: readonly string[]): Promise<Walk> {
  const area = page.locator('.transcript');
  await area.waitFor();
  const limitMs = WALK_MS + ids.length * ROW_MS;
  await waitFor(`the first row ${ids[0]} on the screen`, () => area.evaluate(toBegin, ids[0] ?? ''), limitMs);
  const shown = new Map<string, Shown>();
  const places: Place[] = [];
  const readOn = async (): Promise<boolean> => {
    const { rows, places: passed, isAtEnd } = await area.evaluate(readScreens, SCREENS);
    for (const [id, kind, words] of rows) shown.set(id, { kind, words: lettersOf(words) });
    places.push(...passed);
    return isAtEnd && shown.has(ids.at(-1) ?? '');
  };
  await waitFor(`the last row ${ids.at(-1)} on the screen`, readOn, limitMs);
  return { shown, places };
}

async function toBegin(area: Element, first: string): Promise<boolean> {
  area.scrollTop = 0;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return document.getElementById(first) !== null;
}

interface Place {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly first: number;
  readonly last: number;
}

interface Screens {
  readonly places: readonly Place[];
  readonly rows: readonly (readonly [id: string, kind: string, words: string])[];
  readonly isAtEnd: boolean;
}

/** Reads what is drawn and goes on by a screen, so often. Rows beyond the edge are drawn as well: none is passed over. */
async function readScreens(area: Element, screens: number): Promise<Screens> {
  const rows: [string, string, string][] = [];
  const places: Place[] = [];
  for (let screen = 0; screen < screens; screen++) {
    const drawn = [...area.querySelectorAll('.row[id]')];
    for (const row of drawn) {
      const body = row.querySelector('.said-text, .answer > .markdown')?.cloneNode(true) as Element | undefined;
      for (const adornment of body?.querySelectorAll('.code-head, .link-place') ?? []) adornment.remove();
      rows.push([row.id, /row-(\w+)/.exec(row.className)?.[1] ?? '', body?.textContent ?? '']);
    }
    const seqs = drawn.map(({ id }) => Number(id.slice(1)));
    places.push({ scrollTop: area.scrollTop, scrollHeight: area.scrollHeight, first: Math.min(...seqs), last: Math.max(...seqs) });
    if (screen + 1 < screens) area.scrollTop += area.clientHeight;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
  return { rows, places, isAtEnd: area.scrollHeight - area.scrollTop - area.clientHeight < 2 };
}

/** How the transcript pane moved where rows were passed over: only that tells why. */
function placesAround(expected: ReadonlyMap<string, Shown>, shown: ReadonlyMap<string, Shown>, places: readonly Place[]): readonly string[] {
  const missing = [...expected.keys()].find((id) => !shown.has(id));
  if (missing === undefined) return [];
  const at = places.findIndex(({ last }) => last > Number(missing.slice(1)));
  return places.slice(Math.max(0, at - 6), at + 4).map((place) => `the sheet stood at ${JSON.stringify(place)}`);
}

function differences(expected: ReadonlyMap<string, Shown>, shown: ReadonlyMap<string, Shown>): readonly string[] {
  const missing = [...expected].flatMap(([id, { kind }]) => (shown.has(id) ? [] : [`${id} (${kind}) is not shown`]));
  const surplus = [...shown].flatMap(([id, { kind }]) => (expected.has(id) ? [] : [`${id} (${kind}) is shown and not in the journal`]));
  const other = [...expected].flatMap(([id, is]) => {
    const seen = shown.get(id);
    if (seen === undefined || (seen.kind === is.kind && (is.words === '' || seen.words === is.words))) return [];
    return [`${id} is shown as ${seen.kind} “${seen.words.slice(0, 80)}”, kept as ${is.kind} “${is.words.slice(0, 80)}”`];
  });
  return [...missing, ...surplus, ...other];
}
