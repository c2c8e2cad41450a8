import type { Unnumbered } from './number-events.ts';

/** Turns a stored event of an old format into its next version. */
export interface Upcaster {
  readonly type: string;
  /** The version it reads. */
  readonly v: number;
  readonly up: (body: Readonly<Record<string, unknown>>) => Record<string, unknown> & { readonly type: string; readonly v: number };
}

/** Every change of an event's format since the first release. */
export const UPCASTERS: readonly Upcaster[] = [];

/** Brings a stored body to the current format. */
export function upcast(stored: unknown, upcasters: readonly Upcaster[]): Unnumbered {
  let body = stored as Record<string, unknown>;
  for (let step = stepFor(body, upcasters); step; step = stepFor(body, upcasters)) body = step.up(body);
  return body as Unnumbered;
}

function stepFor(body: Readonly<Record<string, unknown>>, upcasters: readonly Upcaster[]): Upcaster | undefined {
  return upcasters.length === 0 ? undefined : upcasters.find((one) => one.type === body.type && one.v === (body.v ?? 1));
}
