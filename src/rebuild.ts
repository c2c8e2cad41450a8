import { agentsWith, SCRIPT_AGENT } from './agents/index.ts';
import type { Config } from './config.ts';
import { refoldWith } from './engine/rebuild/refold-run.ts';
import { openHost } from './host/open-host.ts';
import { removeSessionList } from './index/list/open-session-list.ts';
import { rebuildJournal } from './journal/rebuild/rebuild.ts';
import { Problems } from './problems/problems.ts';

/** `doctor --rebuild`: restores the database from the session files. The host's lock keeps servers from using the folder meanwhile. */
export async function rebuild(config: Pick<Config, 'data' | 'configuredAgents'>): Promise<readonly string[]> {
  const log = { info: () => {}, error: (_: object, message: string) => process.stderr.write(`${message}\n`) };
  const host = openHost({ dataDir: config.data, problems: new Problems(log) });
  try {
    const refold = refoldWith(new Map([...agentsWith(config.configuredAgents), SCRIPT_AGENT].map((adapter) => [adapter.id, adapter])));
    const report = await rebuildJournal({ dataDir: config.data, refold, now: new Date() });
    removeSessionList(config.data);
    return [
      `${report.sessions} sessions restored: ${report.peopleEvents} events from their own files, ${report.agentEvents} from the agents' output, ${report.receipts} receipts.`,
      ...(report.unreadableLines > 0 ? [`${report.unreadableLines} lines of people's input could not be read.`] : []),
      ...report.skipped.map(({ session, reason }) => `Skipped ${session}: ${reason}.`),
      ...report.keptAside.map((path) => `The old file was kept: ${path}`),
    ];
  } finally {
    await host.close();
  }
}
