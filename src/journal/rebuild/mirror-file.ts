import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { Event } from '../../protocol/event.ts';
import { CommandId, RunId, SessionId } from '../../protocol/ids.ts';
import type { StoredReceipt } from '../journal.ts';
import type { Anchor } from '../mirror.ts';
import { UPCASTERS, type Upcaster, upcast } from '../upcast.ts';

export interface MirroredEvent {
  readonly event: Event;
  readonly anchor?: Anchor | undefined;
}

export interface MirrorContent {
  /** In the order they happened, each once. */
  readonly events: readonly MirroredEvent[];
  /** The last receipt of each command. */
  readonly receipts: readonly StoredReceipt[];
  /** Lines that a kill or the disk left unreadable. */
  readonly unreadable: number;
}

const Line = z.union([
  z.object({ event: z.record(z.string(), z.unknown()), anchor: z.optional(z.object({ run: RunId, byte: z.int() })) }),
  z.object({
    receipt: z.object({ commandId: CommandId, sessionId: SessionId, seq: z.int(), content: z.string(), queued: z.optional(z.boolean()) }),
  }),
]);

/** Reads what `Mirror` wrote, in the order of the file: numbers can start over after a rebuild. */
export function readMirror(path: string, upcasters: readonly Upcaster[] = UPCASTERS): MirrorContent {
  const events = new Map<string, MirroredEvent>();
  const receipts = new Map<CommandId, StoredReceipt>();
  let unreadable = 0;
  for (const text of linesOf(path)) {
    const line = Line.safeParse(parsed(text));
    if (line.success && 'receipt' in line.data) {
      receipts.set(line.data.receipt.commandId, line.data.receipt as StoredReceipt);
      continue;
    }
    const event = line.success && 'event' in line.data ? Event.safeParse(upcast(line.data.event, upcasters)) : undefined;
    if (!line.success || !('event' in line.data) || !event?.success) {
      unreadable += 1;
      continue;
    }
    const key = identity(event.data);
    if (!events.has(key)) events.set(key, { event: event.data, anchor: line.data.anchor });
  }
  return { events: [...events.values()], receipts: [...receipts.values()], unreadable };
}

/** A repeat after a crash has the same text. An input is accepted once, whatever number it got when it was sent again. */
function identity(event: Event): string {
  return event.type === 'input.accepted' ? `accepted ${event.commandId}` : JSON.stringify(event);
}

function linesOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
