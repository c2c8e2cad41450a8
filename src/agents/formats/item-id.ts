import type { ItemId } from '../../protocol/ids.ts';

/** An id of an agent's own making; the brand only says what it is used for. */
export const itemOf = (id: string): ItemId => id.slice(0, 300) as ItemId;
