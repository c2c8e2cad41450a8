import type { Adapter } from './agents/adapter.ts';
import type { Config } from './config.ts';
import { openRawFiles } from './host/raw.ts';
import { type House, openHouse } from './open-app.ts';
import { openBrowser } from './open-browser.ts';
import { VERSION, WEB_DIR } from './package-info.ts';
import { Problems } from './problems/problems.ts';
import { openSignIns } from './server/auth/sign-ins.ts';
import { openTokens, type Tokens } from './server/auth/tokens.ts';
import { createLog, type Log } from './server/log.ts';
import { openPersonStates } from './server/person-states.ts';
import { openPush } from './server/push/push.ts';
import { type RunningServer, startServer } from './server/server.ts';
import { announceServer } from './server/server-file.ts';

/** Problems that are told in words and need no stack. */
const FOR_PEOPLE = new Set(['DataFolderInUse', 'JournalTooNew', 'JournalDamaged', 'JournalUnwritable', 'TokenProblem']);

/** Serves until a signal comes. Agents live on; the exit code is for the shell. */
export async function serve(config: Config, agents?: readonly Adapter[]): Promise<number> {
  const log = createLog(config.log);
  const problems = new Problems(log);
  surviveRejections(log);
  let house: House | undefined;
  try {
    house = await openHouse({ config, env: process.env, log, problems, ...(agents !== undefined && { agents }) });
    await serveHouse(config, house, log, problems);
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || !(FOR_PEOPLE.has(error.name) || 'code' in error)) throw error;
    process.stderr.write(`signalbox: ${inWords(error, config)}\n`);
    return 1;
  } finally {
    await house?.close({ stopAgents: config.stopAgents });
  }
}

/**
 * A promise that nobody awaited can't have been in the middle of a commit: those are synchronous, and change nothing when they fail. So it is logged, and the server lives.
 * An exception that nobody caught is another matter: it may have left something half done in memory. The server ends with it, agents live on, and the next start folds the
 * journal again. What can fail for reasons outside (timers, watchers, messages of workers, sockets) goes through `Problems` and never gets there.
 */
function surviveRejections(log: Log): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'something failed in the background, and nobody waited for it'));
  process.on('uncaughtExceptionMonitor', (error) =>
    log.error({ err: error }, 'this is a bug in Signalbox: the server ends, so that nothing half done is kept. Agents live on; start it again to continue'),
  );
}

async function serveHouse(config: Config, house: House, log: Log, problems: Problems): Promise<void> {
  const tokens = openTokens(config.data, config.token);
  const states = openPersonStates(config.data);
  const push = openPush({ dataDir: config.data, engine: house.engine, tokens, hosts: config.pushHosts, log });
  const server = await startServer({
    engine: house.engine,
    views: house,
    library: house.library.library,
    grounds: house.grounds,
    raw: openRawFiles(config.data),
    config,
    tokens,
    signIns: openSignIns(config.data, tokens),
    states,
    push,
    webDir: WEB_DIR,
    version: VERSION,
    dataFolder: config.data,
    log,
    problems,
  });
  const takeBack = announceServer(config.data, { url: server.localUrl, pid: process.pid });
  sayReady(config, server, tokens);
  await stopSignal();
  await push.close();
  await server.close();
  takeBack();
}

function inWords(error: Error, config: Config): string {
  const taken = 'code' in error && error.code === 'EADDRINUSE';
  return taken ? `Port ${config.port} of ${config.host} is taken by another program. Choose another with --port, or 0 for any free one.` : error.message;
}

function sayReady(config: Config, server: RunningServer, tokens: Tokens): void {
  const facts = { url: server.url, token: tokens.ownerToken, port: server.port, pid: process.pid };
  const withToken = `${server.url.replace(/\/?$/, '/')}?token=${tokens.ownerToken}`;
  if (config.json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else if (process.stdout.isTTY || config.logToken) process.stdout.write(`Signalbox is ready: ${withToken}\n`);
  else process.stdout.write(`Signalbox is ready: ${server.url} (the token lies in ${tokens.ownerFile ?? 'SIGNALBOX_TOKEN'})\n`);
  if (config.open && process.stdout.isTTY && !config.json) openBrowser(withToken);
}

/** A closed terminal (HUP) stops the server as Ctrl-C does; both leave agents alone. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
