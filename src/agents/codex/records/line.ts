import { jsonObject } from '../../formats/json-object.ts';
import { isObject, type Loose, text } from '../../formats/shape.ts';

/** A line of a rollout. Old versions (0.46, by description) didn't number them. */
export interface Line {
  /** `event_msg/item_completed`, or only `session_meta` where the payload has no type. */
  readonly kind: string;
  readonly timestamp: string | undefined;
  readonly ordinal: number | undefined;
  readonly payload: Loose<object>;
}

export function readLine(raw: string): Line | undefined {
  const fields = jsonObject(raw);
  if (fields === undefined || !text(fields.type) || !isObject(fields.payload)) return undefined;
  const { type, payload, timestamp, ordinal } = fields;
  return {
    kind: text(payload.type) ? `${type}/${payload.type}` : type,
    timestamp: text(timestamp) ? timestamp : undefined,
    ordinal: typeof ordinal === 'number' && Number.isInteger(ordinal) && ordinal >= 0 ? ordinal : undefined,
    payload,
  };
}

/** Line numbers repeat in every thread, so an id needs the thread too. */
export const lineId = (thread: string, ordinal: number): string => `${thread}:${ordinal}`;
