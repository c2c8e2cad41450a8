import { BadCursor } from './session-list.ts';

/** A position between two rows of a list: after this session, at the time it had when the page was read. */
export interface PageCursor {
  readonly updatedAt: string;
  readonly id: string;
}

export function encodeCursor(cursor: PageCursor): string {
  return Buffer.from(JSON.stringify([cursor.updatedAt, cursor.id])).toString('base64url');
}

export function decodeCursor(text: string): PageCursor {
  const [updatedAt, id] = parsed(text);
  if (typeof updatedAt !== 'string' || typeof id !== 'string') throw new BadCursor();
  return { updatedAt, id };
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
