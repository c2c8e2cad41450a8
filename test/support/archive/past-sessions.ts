import { claudeCode } from '../../../src/agents/claude-code/index.ts';
import type { IndexedUsage } from '../../../src/index/store/index-store.ts';
import type { Event } from '../../../src/protocol/event.ts';
import { type RecordFile, readRecords } from '../agents/claude-records.ts';

/** A recorded conversation as an archive would report it: all its files, merged by time. */
export interface RecordedPastSession {
  /** The scenario and the agent's own id. */
  readonly name: string;
  readonly agentSessionId: string;
  readonly events: readonly Event[];
  readonly spent: readonly IndexedUsage[];
}

export function recordedPastSessions(): readonly RecordedPastSession[] {
  const files = new Map<string, RecordFile[]>();
  for (const file of readRecords()) {
    const name = `${file.path.split('/')[0]} ${file.kind.agentSessionId}`;
    files.set(name, [...(files.get(name) ?? []), file]);
  }
  return [...files].map(([name, of]) => ({ name, agentSessionId: of[0]?.kind.agentSessionId ?? '', ...eventsOf(of) }));
}

function eventsOf(files: readonly RecordFile[]): Pick<RecordedPastSession, 'events' | 'spent'> {
  const events: Event[] = [];
  const spent: IndexedUsage[] = [];
  for (const { line, at } of files.flatMap(timed).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    for (const { agentAt: _, rawImages: __, ...observation } of line.observations) events.push({ ...observation, seq: events.length + 1, at } as Event);
    if (line.spent !== undefined) spent.push({ ...line.spent, at, seq: events.length });
  }
  return { events, spent };
}

/** A line without a time gets the time of the line before it. */
function timed({ lines, context }: RecordFile) {
  let at = '';
  return lines.flatMap((raw) => {
    const line = claudeCode.archive?.read(raw, context);
    if (line === undefined) return [];
    const own = line.spent?.at ?? line.observations.map((observation) => observation.agentAt).find((time) => time !== undefined);
    at = own !== undefined && own > at ? own : at;
    return [{ line, at }];
  });
}
