import type { PermissionItem } from '../../src/domain/transcript/item.ts';
import { givenAnswer } from '../store/answers.ts';
import type { AppState } from '../store/app-state.ts';

/** A request of one session as its page shows it: a card while it waits, and for a moment more when somebody else decided it. */
interface SessionCard {
  readonly item: PermissionItem;
  readonly isCard: boolean;
  readonly isAnsweredHere: boolean;
}

/** The requests that are cards now, in their order: when these change, something has moved. */
export const shownCards = (state: AppState, sessionId: string): readonly string[] =>
  cardsOf(state, sessionId)
    .filter(({ isCard }) => isCard)
    .map(({ item }) => item.requestId);

/**
 * The card that single keys mean while no hand has chosen one: the first that waits. But not when another stood above it and was decided elsewhere:
 * a key that was meant for that one would answer this one.
 */
export function keyedCard(state: AppState, sessionId: string): string | undefined {
  const cards = cardsOf(state, sessionId);
  const first = cards.find(({ item }) => item.resolved === undefined)?.item;
  if (first === undefined) return undefined;
  const askedAt = first.requested?.seq ?? 0;
  const wasAbove = ({ item, isAnsweredHere }: SessionCard) => !isAnsweredHere && item.resolved !== undefined && item.resolved.seq > askedAt;
  return cards
    .slice(
      0,
      cards.findIndex(({ item }) => item === first),
    )
    .some(wasAbove)
    ? undefined
    : first.requestId;
}

export const firstWaiting = (state: AppState, sessionId: string): string | undefined =>
  cardsOf(state, sessionId).find(({ item }) => item.resolved === undefined)?.item.requestId;

function cardsOf(state: AppState, sessionId: string): readonly SessionCard[] {
  const items = [...(state.open.get(sessionId)?.transcript.items.values() ?? [])];
  return items.filter((item) => item.kind === 'permission').map((item) => cardOf(state, item));
}

function cardOf(state: AppState, item: PermissionItem): SessionCard {
  const { requestId, requested, resolved } = item;
  const given = givenAnswer(state, requestId);
  const isAnsweredHere = given !== undefined && given.phase !== 'refused';
  const isListed = [...state.permissions, ...state.left.map(({ permission }) => permission)].some((each) => each.requestId === requestId);
  return { item, isAnsweredHere, isCard: requested !== undefined && (resolved === undefined || (isListed && !isAnsweredHere)) };
}
