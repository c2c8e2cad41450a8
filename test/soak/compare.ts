import type { Page } from 'playwright-core';
import type { Item } from '../../src/domain/transcript/item.ts';
import { itemOf, openTranscript } from '../../src/domain/transcript/transcript.ts';
import type { Event } from '../../src/protocol/event.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Actor, Stage } from './stage.ts';

/** A row as it is on the screen: where it stands, what it is, and its words without what only adorns them. */
interface Shown {
  readonly kind: string;
  readonly words: string;
}

const WALK_MS = 120_000;

/** Reads a whole session on the screen, from its first row to its last, and says in words how it differs from the journal. */
export async function comparePage(stage: Stage, { id }: Actor, typed: readonly string[]): Promise<readonly string[]> {
  const events = await stage.events(id);
  const accepted = events.flatMap((event) => (event.type === 'input.accepted' ? [event.text] : []));
  const once = sameList(accepted, typed) ? [] : [`typed ${JSON.stringify(typed)}, accepted ${JSON.stringify(accepted)}`];
  const expected = expectedOf(events);
  const { page } = stage.watched;
  await page.locator(`[data-tile="${id}"] h2 a`).click();
  await page.waitForURL(`**/s/${id}`);
  const shown = await walk(page, [...expected.keys()]);
  await page.goBack();
  await page.locator(`[data-tile="${id}"]`).waitFor();
  return [...once, ...differences(expected, shown)];
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

async function walk(page: Page, ids: readonly string[]): Promise<ReadonlyMap<string, Shown>> {
  const area = page.locator('.transcript');
  await area.waitFor();
  await waitFor(`the first row ${ids[0]} on the screen`, () => area.evaluate(toBegin, ids[0] ?? ''), WALK_MS);
  const shown = new Map<string, Shown>();
  const look = async (): Promise<boolean> => {
    for (const [id, kind, words] of await area.evaluate(readRows)) shown.set(id, { kind, words: lettersOf(words) });
    return shown.has(ids.at(-1) ?? '') && (await area.evaluate(isAtEnd));
  };
  await waitFor(`the last row ${ids.at(-1)} on the screen`, async () => (await look()) || (await area.evaluate(further)), WALK_MS);
  return shown;
}

async function toBegin(area: Element, first: string): Promise<boolean> {
  area.scrollTop = 0;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return document.getElementById(first) !== null;
}

function isAtEnd(area: Element): boolean {
  return area.scrollHeight - area.scrollTop - area.clientHeight < 2;
}

async function further(area: Element): Promise<false> {
  area.scrollTop += area.clientHeight / 2;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return false;
}

function readRows(area: Element): [id: string, kind: string, words: string][] {
  return [...area.querySelectorAll('.row[id]')].map((row) => {
    const body = row.querySelector('.said-text, .answer > .markdown')?.cloneNode(true) as Element | undefined;
    for (const adornment of body?.querySelectorAll('.code-head, .link-place') ?? []) adornment.remove();
    const kind = /row-(\w+)/.exec(row.className)?.[1] ?? '';
    return [row.id, kind, body?.textContent ?? ''];
  });
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
