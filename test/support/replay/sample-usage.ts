import { join } from 'node:path';
import { usagePart } from '../../../src/index/usage/usage-part.ts';
import { openDatabase, transactions } from '../../../src/journal/sqlite-driver.ts';
import type { UsageList, UsageQuery } from '../../../src/protocol/api/usage.ts';
import { AgentId, SessionId } from '../../../src/protocol/ids.ts';

const DAY_MS = 86_400_000;
/** One of them, `local-7b`, has no price. */
const MODELS = ['large-5', 'large-4', 'small-5', 'tiny', 'local-7b', 'older', 'oldest'];
const PROJECTS = ['signalbox', 'a-shop', 'a-folder-whose-name-is-much-longer-than-any-column'];

/** Answers queries from a real session index with the usage of forty days. */
export function sampleUsageReader(folder: string, now: number): (query: UsageQuery) => Omit<UsageList, 'whole'> {
  const db = openDatabase(join(folder, 'library.db'));
  const part = usagePart((_agent, model) => (model === 'local-7b' ? undefined : { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6 }));
  db.exec('CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT UNIQUE, agent TEXT, title TEXT, project TEXT, project_id TEXT, created_at TEXT)');
  db.exec(part.schema);
  const writer = part.write(db);
  const insert = db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)');
  transactions(db)(() => {
    for (let day = 0; day < 40; day += 1) {
      const [number, id, project] = [day + 1, SessionId.parse(`s${day}`), PROJECTS[day % PROJECTS.length] ?? ''];
      const [agent, at] = [AgentId.parse(day % 4 === 0 ? 'demo' : 'claude-code'), new Date(now - day * DAY_MS).toISOString()];
      insert.run(number, id, agent, id, project, project, at);
      const session = { number, id, agent, title: id, project, projectId: project, createdAt: at };
      const prompt = { type: 'user.message', seq: 1, at, uuid: `u${day}`, text: 'go', origin: 'elsewhere' } as const;
      // Every ninth day has no usage.
      if (day % 9 !== 8) writer.take(session, [prompt], spentOn(day, now - day * DAY_MS));
    }
    writer.ending?.();
  });
  return part.read(db).usage;
}

function spentOn(day: number, time: number) {
  return MODELS.slice(0, 1 + (day % MODELS.length)).map((model, index) => ({
    seq: index + 2,
    at: new Date(time + (index + 1) * 60_000).toISOString(),
    messageId: `m${day}-${index}`,
    model,
    usage: {
      inputTokens: 4_000 * (1 + ((day * 7 + index) % 5)),
      outputTokens: 2_000 * (1 + ((day * 3 + index) % 7)),
      cacheReadTokens: 300_000,
      cacheWriteTokens: 20_000,
    },
  }));
}
