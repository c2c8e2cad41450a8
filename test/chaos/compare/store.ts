import { isDeepStrictEqual } from 'node:util';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import type { Event } from '../../../src/protocol/event.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Actor, Setup } from '../setup.ts';
import { count, type Tally } from '../tally.ts';

const CATCH_UP_MS = 20_000;

/** What the page holds after all its lost connections is what the journal holds. */
export async function compareStore(setup: Setup, actor: Actor, events: readonly Event[], tally: Tally): Promise<readonly string[]> {
  const { cockpit } = setup.browser;
  const held = () => cockpit.store.getState().open.get(actor.id)?.transcript;
  const last = events.at(-1)?.seq ?? 0;
  await waitFor(`event ${last} of ${actor.id} in the page`, () => (held()?.lastSeq ?? 0) >= last, CATCH_UP_MS);
  const page = held();
  if (page === undefined) return ['the page has lost the session'];
  const fresh = openTranscript(events.filter((event) => event.seq >= page.firstSeq));
  count(tally, 'items in the page', page.items.size);
  return [
    ...(page.firstSeq === 1 ? [] : [`the page begins at ${page.firstSeq}`]),
    ...(isDeepStrictEqual(page.events, fresh.events) ? [] : [`the page holds other events than the journal: ${firstDifference(page.events, fresh.events)}`]),
    ...(isDeepStrictEqual(page.rows, fresh.rows) ? [] : ['the page shows other rows than the journal gives']),
    ...(isDeepStrictEqual([...page.items], [...fresh.items]) ? [] : ['the page shows other items than the journal gives']),
    ...(page.live.size === 0 ? [] : [`text in progress was never finished: ${[...page.live.keys()].join(', ')}`]),
    ...statusOf(setup, actor, events),
    ...streamedWrong(setup, events, tally),
  ];
}

/** Whatever the page showed of a text while it was written is the beginning of what it became. */
function streamedWrong(setup: Setup, events: readonly Event[], tally: Tally): readonly string[] {
  return events.flatMap((event) => {
    if ((event.type !== 'assistant.text' && event.type !== 'assistant.thinking') || event.blobs !== undefined) return [];
    const shown = setup.browser.shown.get(event.itemId ?? '');
    if (shown === undefined) return [];
    count(tally, 'texts compared with what was streamed');
    return event.text.startsWith(shown) ? [] : [`the page showed "${shown.slice(-200)}" of what became "${event.text.slice(0, 400)}"`];
  });
}

function firstDifference(page: readonly Event[], journal: readonly Event[]): string {
  const at = page.findIndex((event, index) => !isDeepStrictEqual(event, journal[index]));
  return `${JSON.stringify(page[at])?.slice(0, 300)} for ${JSON.stringify(journal[at])?.slice(0, 300)}`;
}

function statusOf(setup: Setup, actor: Actor, events: readonly Event[]): readonly string[] {
  const shown = setup.browser.cockpit.store.getState().sessions.get(actor.id)?.status;
  const told = events.findLast((event) => event.type === 'session.status');
  return told?.type === 'session.status' && told.status === shown ? [] : [`the page shows ${shown}, the journal says ${JSON.stringify(told)}`];
}
