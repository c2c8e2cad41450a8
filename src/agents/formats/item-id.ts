import type { ItemId } from '../../protocol/ids.ts';

/** An id made by the agent; the brand only says what it is used for. */
export const itemOf = (id: string): ItemId => id.slice(0, 300) as ItemId;

/** A result is a child of its call. */
export const resultOf = (toolUseId: string) => ({ itemId: itemOf(`${toolUseId}:result`), parentItemId: itemOf(toolUseId), toolUseId });
