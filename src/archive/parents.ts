import type { SessionId } from '../protocol/ids.ts';
import type { SessionRow } from './rows.ts';
import type { ArchiveStore } from './store.ts';

/** Where a conversation is a copy of another's beginning, the younger one is told so, whichever of the two was read first: those that were. */
export function findParents(store: ArchiveStore, session: SessionRow): readonly SessionId[] {
  const alike = store.beginAlike(session);
  const told: SessionId[] = [];
  for (const child of alike.length === 0 ? [] : [session, ...alike]) {
    const older = [session, ...alike].filter((other) => other.key !== child.key && mayBeParent(store, other, child));
    const shared = older.map((parent) => ({ parent, ...store.shared(parent.key, child.key) })).sort((a, b) => b.lines - a.lines);
    const [best] = shared;
    // One line alone may have the same id by chance of whoever chose it.
    if (best === undefined || best.lines < 2) continue;
    store.setParent(child.key, best.parent.key, best.seq);
    told.push(child.id);
  }
  return told;
}

/** Some say where they come from; of others it is known by who was there first. */
function mayBeParent(store: ArchiveStore, other: SessionRow, child: SessionRow): boolean {
  const said = child.facts.copiedFrom?.agentSessionId;
  if (said !== undefined) return said === other.agentSessionId;
  return other.facts.copiedFrom?.agentSessionId !== child.agentSessionId && isOlder(store, other, child);
}

/** Clocks of file systems are coarse: of two that were born together, the one that was found first. */
function isOlder(store: ArchiveStore, other: SessionRow, child: SessionRow): boolean {
  const between = bornOf(store, other) - bornOf(store, child);
  return between < 0 || (between === 0 && other.key < child.key);
}

function bornOf(store: ArchiveStore, { key }: SessionRow): number {
  return Math.min(...store.files(key).map((file) => Math.min(file.bornMs > 0 ? file.bornMs : file.mtimeMs, file.mtimeMs)));
}
