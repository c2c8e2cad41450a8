import { isDeepStrictEqual } from 'node:util';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import type { Event } from '../../../src/protocol/event.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Actor, Setup } from '../setup.ts';
import { count, type Tally } from '../tally.ts';

const CATCH_UP_MS = 20_000;

/** After all its lost connections the page has exactly what the journal has. */
export async function compareStore(setup: Setup, actor: Actor, events: readonly Event[], tally: Tally): Promise<readonly string[]> {
  const { cockpit } = setup.browser;
  const pageTranscript = () => cockpit.store.getState().open.get(actor.id)?.transcript;
  const last = events.at(-1)?.seq ?? 0;
  await waitFor(`event ${last} of ${actor.id} in the page`, () => (pageTranscript()?.lastSeq ?? 0) >= last, CATCH_UP_MS);
  const page = pageTranscript();
  if (page === undefined) return ['the page has lost the session'];
  // A checkpoint after the turn can come while this is compared: the page may know more than what was read before.
  const later = page.events.filter((event) => event.seq > last);
  const fresh = openTranscript([...events.filter((event) => event.seq >= page.firstSeq), ...later]);
  count(tally, 'items in the page', page.items.size);
  return [
    ...(page.firstSeq === 1 ? [] : [`the page starts at ${page.firstSeq}`]),
    ...(isDeepStrictEqual(page.events, fresh.events) ? [] : [`the page's events differ from the journal: ${firstDifference(page.events, fresh.events)}`]),
    ...(isDeepStrictEqual(page.rows, fresh.rows) ? [] : ["the page's rows differ from the journal"]),
    ...(isDeepStrictEqual([...page.items], [...fresh.items]) ? [] : ["the page's items differ from the journal"]),
    ...(page.live.size === 0 ? [] : [`text in progress was never finished: ${[...page.live.keys()].join(', ')}`]),
    ...statusOf(setup, actor, events),
    ...streamedWrong(setup, events, tally),
  ];
}

/** Text that the page showed in progress must be a prefix of the final text. */
function streamedWrong(setup: Setup, events: readonly Event[], tally: Tally): readonly string[] {
  return events.flatMap((event) => {
    if ((event.type !== 'assistant.text' && event.type !== 'assistant.thinking') || event.blobs !== undefined) return [];
    const shown = setup.browser.shown.get(event.itemId ?? '');
    if (shown === undefined) return [];
    count(tally, 'texts compared with what was streamed');
    return event.text.startsWith(shown) ? [] : [`the page showed "${shown.slice(-200)}", which became "${event.text.slice(0, 400)}"`];
  });
}

function firstDifference(page: readonly Event[], journal: readonly Event[]): string {
  const at = page.findIndex((event, index) => !isDeepStrictEqual(event, journal[index]));
  return `${JSON.stringify(page[at])?.slice(0, 300)} instead of ${JSON.stringify(journal[at])?.slice(0, 300)}`;
}

function statusOf(setup: Setup, actor: Actor, events: readonly Event[]): readonly string[] {
  const shown = setup.browser.cockpit.store.getState().sessions.get(actor.id)?.status;
  const last = events.findLast((event) => event.type === 'session.status');
  return last?.type === 'session.status' && last.status === shown ? [] : [`the page shows ${shown}, the journal says ${JSON.stringify(last)}`];
}
