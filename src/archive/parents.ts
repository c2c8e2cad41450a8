import type { SessionId } from '../protocol/ids.ts';
import type { SessionRow } from './rows.ts';
import type { ArchiveStore } from './store.ts';

/** If a conversation starts as a copy of another, sets the older one as its parent, whichever was read first. Returns the updated sessions. */
export function findParents(store: ArchiveStore, session: SessionRow): readonly SessionId[] {
  const alike = store.sessionsWithSameStart(session);
  const updated: SessionId[] = [];
  for (const child of alike.length === 0 ? [] : [session, ...alike]) {
    const older = [session, ...alike].filter((other) => other.key !== child.key && mayBeParent(store, other, child));
    const shared = older.map((parent) => ({ parent, ...store.shared(parent.key, child.key) })).sort((a, b) => b.lines - a.lines);
    const [best] = shared;
    // A single line can have the same id by chance.
    if (best === undefined || best.lines < 2) continue;
    store.setParent(child.key, best.parent.key, best.seq);
    updated.push(child.id);
  }
  return updated;
}

/** Some records name their origin; for others the older one is the parent. */
function mayBeParent(store: ArchiveStore, other: SessionRow, child: SessionRow): boolean {
  const named = child.facts.copiedFrom?.agentSessionId;
  if (named !== undefined) return named === other.agentSessionId;
  return other.facts.copiedFrom?.agentSessionId !== child.agentSessionId && isOlder(store, other, child);
}

/** File system clocks are coarse: if two were created at the same time, the one found first is older. */
function isOlder(store: ArchiveStore, other: SessionRow, child: SessionRow): boolean {
  const between = createdAtOf(store, other) - createdAtOf(store, child);
  return between < 0 || (between === 0 && other.key < child.key);
}

function createdAtOf(store: ArchiveStore, { key }: SessionRow): number {
  return Math.min(...store.files(key).map((file) => Math.min(file.bornMs > 0 ? file.bornMs : file.mtimeMs, file.mtimeMs)));
}
