import type { Adapter } from './agents/adapter.ts';
import type { Config } from './config.ts';
import { openRawFiles } from './host/raw.ts';
import { type House, openHouse } from './house.ts';
import { openBrowser } from './open-browser.ts';
import { VERSION, WEB_DIR } from './package.ts';
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
  let house: House | undefined;
  try {
    house = await openHouse({ config, env: process.env, log, ...(agents !== undefined && { agents }) });
    await serveHouse(config, house, log);
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || !(FOR_PEOPLE.has(error.name) || 'code' in error)) throw error;
    process.stderr.write(`signalbox: ${inWords(error, config)}\n`);
    return 1;
  } finally {
    await house?.close({ stopAgents: config.stopAgents });
  }
}

async function serveHouse(config: Config, house: House, log: Log): Promise<void> {
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
    states,
    push,
    webDir: WEB_DIR,
    version: VERSION,
    dataFolder: config.data,
    log,
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
