import { agentsWith, SCRIPT_AGENT } from './agents/index.ts';
import type { Config } from './config.ts';
import { refoldWith } from './engine/rebuild/refold-run.ts';
import { openHost } from './host/open-host.ts';
import { removeSessionList } from './index/list/open-session-list.ts';
import { checkJournal, type RebuildOptions, type RebuildReport, rebuildJournal } from './journal/rebuild/rebuild.ts';
import { Problems } from './problems/problems.ts';

/** `doctor --rebuild`: restores the database from the session files. The host's lock keeps servers from using the folder meanwhile. */
export const rebuild = (config: RebuildConfig): Promise<readonly string[]> =>
  withFiles(config, async (options) => {
    const report = await rebuildJournal(options);
    removeSessionList(config.data);
    return [
      `${report.sessions} sessions restored: ${report.peopleEvents} events from their own files, ${report.agentEvents} from the agents' output, ${report.receipts} receipts.`,
      ...notesOf(report),
      ...report.keptAside.map((path) => `The old file was kept: ${path}`),
    ];
  });

/** `doctor --check`: the same, into a folder of its own, and then compared. */
export const checkJournalFiles = (config: RebuildConfig): Promise<{ readonly isSame: boolean; readonly lines: readonly string[] }> =>
  withFiles(config, async (options) => {
    const { differences, ...report } = await checkJournal(options);
    const lines = [
      `${report.sessions} sessions compared: ${report.peopleEvents + report.agentEvents} events.`,
      ...notesOf(report),
      ...differences
        .slice(0, SHOWN)
        .map(({ session, seq, type }) => `Different: event ${seq} of ${session}${type === undefined ? ', which only one of both has' : ` (${type})`}`),
      ...(differences.length > SHOWN ? [`… and ${differences.length - SHOWN} more`] : []),
      differences.length === 0
        ? 'The journal says what the files say.'
        : 'The files are the truth: "signalbox doctor --rebuild" restores the journal from them.',
    ];
    return { isSame: differences.length === 0, lines };
  });

type RebuildConfig = Pick<Config, 'data' | 'configuredAgents'>;

const SHOWN = 20;

async function withFiles<T>(config: RebuildConfig, work: (options: RebuildOptions) => Promise<T>): Promise<T> {
  const log = { info: () => {}, error: (_: object, message: string) => process.stderr.write(`${message}\n`) };
  const host = openHost({ dataDir: config.data, problems: new Problems(log) });
  try {
    const refold = refoldWith(new Map([...agentsWith(config.configuredAgents), SCRIPT_AGENT].map((adapter) => [adapter.id, adapter])));
    return await work({ dataDir: config.data, refold, now: new Date() });
  } finally {
    await host.close();
  }
}

const notesOf = ({ unreadableLines, skipped }: RebuildReport): readonly string[] => [
  ...(unreadableLines > 0 ? [`${unreadableLines} lines of people's input could not be read.`] : []),
  ...skipped.map(({ session, reason }) => `Skipped ${session}: ${reason}.`),
];
