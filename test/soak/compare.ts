import type { Page } from 'playwright-core';
import type { Item } from '../../src/domain/transcript/item.ts';
import { itemOf, openTranscript } from '../../src/domain/transcript/transcript.ts';
import type { Event } from '../../src/protocol/event.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Actor, Setup } from './setup.ts';

/** A row as the screen shows it: its kind, and its words without decoration. */
interface Shown {
  readonly kind: string;
  readonly words: string;
}

const WALK_MS = 60_000;
const ROW_MS = 100;
const SCREENS_PER_READ = 10;

/** Reads a whole session on the screen, from its first row to its last, and lists how it differs from the journal. */
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

/** What the page should show, folded from the whole journal. */
function expectedOf(events: readonly Event[]): ReadonlyMap<string, Shown> {
  const transcript = openTranscript(events);
  const items = transcript.rows.flatMap((key) => itemOf(transcript, key) ?? []);
  return new Map(items.map((item) => [`e${item.seq}`, { kind: item.kind, words: lettersOf(wordsOf(item)) }]));
}

function wordsOf(item: Item): string {
  if (item.kind === 'user') return item.text ?? '';
  return item.kind === 'text' ? item.text.replace(/```\w*/g, '') : '';
}

/** Letters only: Markdown turns the characters between them into layout. */
const lettersOf = (text: string): string => text.replace(/\P{L}/gu, '');

interface Walk {
  readonly shown: ReadonlyMap<string, Shown>;
  /** The scroll position at each screen that was read. */
  readonly places: readonly Place[];
}

async function walk(page: Page, ids: readonly string[]): Promise<Walk> {
  const area = page.locator('.transcript');
  await area.waitFor();
  const limitMs = WALK_MS + ids.length * ROW_MS;
  await waitFor(`the first row ${ids[0]} on the screen`, () => area.evaluate(scrollToStart, ids[0] ?? ''), limitMs);
  const shown = new Map<string, Shown>();
  const places: Place[] = [];
  const readMore = async (): Promise<boolean> => {
    const { rows, places: newPlaces, isAtEnd } = await area.evaluate(readScreens, SCREENS_PER_READ);
    for (const [id, kind, words] of rows) shown.set(id, { kind, words: lettersOf(words) });
    places.push(...newPlaces);
    return isAtEnd && shown.has(ids.at(-1) ?? '');
  };
  await waitFor(`the last row ${ids.at(-1)} on the screen`, readMore, limitMs);
  return { shown, places };
}

async function scrollToStart(area: Element, first: string): Promise<boolean> {
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

/** Reads the drawn rows and scrolls down by one screen, `screens` times. Rows beyond the edge are drawn too, so none is skipped. */
async function readScreens(area: Element, screens: number): Promise<Screens> {
  const rows: [string, string, string][] = [];
  const places: Place[] = [];
  for (let screen = 0; screen < screens; screen++) {
    const drawn = [...area.querySelectorAll('.row[id]')];
    for (const row of drawn) {
      const body = row.querySelector('.said-text, .answer > .markdown')?.cloneNode(true) as Element | undefined;
      for (const decoration of body?.querySelectorAll('.code-head, .link-place') ?? []) decoration.remove();
      rows.push([row.id, /row-(\w+)/.exec(row.className)?.[1] ?? '', body?.textContent ?? '']);
    }
    const seqs = drawn.map(({ id }) => Number(id.slice(1)));
    places.push({ scrollTop: area.scrollTop, scrollHeight: area.scrollHeight, first: Math.min(...seqs), last: Math.max(...seqs) });
    if (screen + 1 < screens) area.scrollTop += area.clientHeight;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
  return { rows, places, isAtEnd: area.scrollHeight - area.scrollTop - area.clientHeight < 2 };
}

/** How the transcript pane scrolled where rows were skipped; nothing else explains why. */
function placesAround(expected: ReadonlyMap<string, Shown>, shown: ReadonlyMap<string, Shown>, places: readonly Place[]): readonly string[] {
  const missing = [...expected.keys()].find((id) => !shown.has(id));
  if (missing === undefined) return [];
  const at = places.findIndex(({ last }) => last > Number(missing.slice(1)));
  return places.slice(Math.max(0, at - 6), at + 4).map((place) => `scroll position ${JSON.stringify(place)}`);
}

function differences(expected: ReadonlyMap<string, Shown>, shown: ReadonlyMap<string, Shown>): readonly string[] {
  const missing = [...expected].flatMap(([id, { kind }]) => (shown.has(id) ? [] : [`${id} (${kind}) is not shown`]));
  const surplus = [...shown].flatMap(([id, { kind }]) => (expected.has(id) ? [] : [`${id} (${kind}) is shown but not in the journal`]));
  const other = [...expected].flatMap(([id, is]) => {
    const seen = shown.get(id);
    if (seen === undefined || (seen.kind === is.kind && (is.words === '' || seen.words === is.words))) return [];
    return [`${id} is shown as ${seen.kind} “${seen.words.slice(0, 80)}”, stored as ${is.kind} “${is.words.slice(0, 80)}”`];
  });
  return [...missing, ...surplus, ...other];
}
