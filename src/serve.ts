import type { Adapter } from './agents/port/adapter.ts';
import type { Config } from './config.ts';
import { openRawFiles } from './host/raw.ts';
import { openNode } from './node-id.ts';
import { type App, openApp } from './open-app.ts';
import { openBrowser } from './open-browser.ts';
import { VERSION, WEB_DIR } from './package-info.ts';
import { Problems } from './problems/problems.ts';
import { inheritable } from './programs/environment.ts';
import type { RunId } from './protocol/ids.ts';
import { openHookTokens } from './server/auth/hook-tokens.ts';
import { openRunTokens, type RunTokens } from './server/auth/run-tokens.ts';
import { openSignIns } from './server/auth/sign-ins.ts';
import { openTokens, type Tokens } from './server/auth/tokens.ts';
import { openFinish } from './server/finish/finish.ts';
import { type Deliveries, type DeliverySources, openWebhooks } from './server/outside/webhook-manager.ts';
import { openPush } from './server/push/push.ts';
import { localAddressOf, type RunningServer, startServer } from './server/server.ts';
import { writeServerFile } from './server/server-file.ts';
import { createLog, type Log } from './server/shared/log.ts';
import { openPersonStates } from './server/shared/person-states.ts';
import { openSeenSessions } from './server/shared/seen-sessions.ts';
import { writeFileAtomically } from './server/shared/write-file-atomically.ts';

/** Errors whose message is enough without a stack trace. */
const EXPECTED_ERRORS = new Set(['DataFolderInUse', 'JournalTooNew', 'JournalDamaged', 'JournalUnwritable', 'TokenProblem', 'StartProblem']);

/** Serves until a signal arrives. Agents keep running. Returns the exit code. */
export async function serve(config: Config, agents?: readonly Adapter[]): Promise<number> {
  const log = createLog(config.log);
  const problems = new Problems(log);
  surviveRejections(log);
  const runTokens = openRunTokens(config.data);
  // Any free port is only known once the server listens; an agent that starts before that gets no address.
  let url = config.port === 0 ? undefined : localAddressOf(config, config.port);
  const runAccess = (run: RunId) => ({ SIGNALBOX_RUN_TOKEN: runTokens.tokenOf(run), ...(url !== undefined && { SIGNALBOX_URL: url }) });
  let app: App | undefined;
  try {
    app = await openApp({ config, env: process.env, log, problems, runAccess, ...(agents !== undefined && { agents }) });
    await serveApp(config, app, runTokens, log, problems, (server) => {
      url = server.localUrl;
    });
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || !(EXPECTED_ERRORS.has(error.name) || 'code' in error)) throw error;
    process.stderr.write(`signalbox: ${messageFor(error, config)}\n`);
    return 1;
  } finally {
    await app?.close({ stopAgents: config.stopAgents });
  }
}

/**
 * A promise that nobody awaited can't have failed in the middle of a commit: commits are synchronous and change nothing when they fail. So it is logged, and the server keeps running.
 * An uncaught exception is different: it may have left something half done in memory. The server exits, agents keep running, and the next start folds the
 * journal again. What can fail for outside reasons (timers, watchers, workers' messages, sockets) goes through `Problems` and never gets here.
 */
function surviveRejections(log: Log): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'something failed in the background'));
  process.on('uncaughtExceptionMonitor', (error) =>
    log.error(
      { err: error },
      'this is a bug in Signalbox: the server stops, so that nothing half done is kept. Agents keep running; start the server again to continue',
    ),
  );
}

async function serveApp(config: Config, app: App, runTokens: RunTokens, log: Log, problems: Problems, onReady: (server: RunningServer) => void): Promise<void> {
  const tokens = openTokens(config.data, config.token, problems);
  const states = openPersonStates(config.data);
  const seen = openSeenSessions(config.data, problems);
  const push = openPush({ dataDir: config.data, engine: app.engine, tokens, hosts: config.pushHosts, log });
  const { engine, allowedRoots } = app;
  const finish = openFinish({ engine, allowedRoots, env: inheritable(process.env), log, problems, isFollowed: () => push.hasDevices() });
  const webhooks = await openWebhooks({ engine, dataDir: config.data, load: (sources) => loadDeliveries(config, app, problems, sources) });
  const cluster =
    config.redisUrl === undefined
      ? withoutCluster(app)
      : await (await import('./open-cluster.ts')).openCluster({ config, app, env: process.env, log, problems });
  const server = await startServer({
    webhooks,
    finish,
    ...(cluster !== undefined && { remote: cluster.remote }),
    engine: app.engine,
    sessionList: app,
    sessionIndex: app.sessionIndex.sessionIndex,
    allowedRoots: app.allowedRoots,
    raw: openRawFiles(config.data),
    config,
    tokens,
    runTokens,
    hookTokens: openHookTokens(config.data),
    signIns: openSignIns(config.data, tokens),
    states,
    seen,
    push,
    webDir: WEB_DIR,
    version: VERSION,
    dataFolder: config.data,
    log,
    problems,
  });
  onReady(server);
  cluster?.start(config.publicUrl === undefined ? undefined : server.url);
  const removeServerFile = writeServerFile(config.data, { url: server.localUrl, pid: process.pid });
  printReady(config, server, tokens);
  await stopSignal();
  await cluster?.close();
  await push.close();
  await webhooks.close();
  finish.close();
  await server.close();
  removeServerFile();
}

/** Only a server with webhooks loads what delivers them. */
async function loadDeliveries(config: Config, { journal }: App, problems: Problems, sources: DeliverySources): Promise<Deliveries> {
  const { openOutbound } = await import('./outbound/webhooks.ts');
  return openOutbound({ ...sources, dataDir: config.data, node: openNode(config.data).id, journal, problems, write: writeFileAtomically, now: Date.now });
}

/** Once there were other machines and now there is no Redis URL: their sessions are no longer listed. */
function withoutCluster(app: App): undefined {
  app.listRemote(() => []);
}

function messageFor(error: Error, { host, port, data }: Config): string {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use by another program. Choose another with --port, or use --port 0 for any free one.`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host}. Choose one of its own with --host; 127.0.0.1 is for this machine only.`;
  const why = FOLDER_PROBLEMS[code];
  return why === undefined ? error.message : `The data folder ${data} can't be used: ${why} (${error.message})`;
}

const FOLDER_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'you have no access to it. Change its owner, or choose another folder with --data.',
  EPERM: 'you have no access to it. Change its owner, or choose another folder with --data.',
  EROFS: 'its disk is read-only. Choose another folder with --data.',
  ENOSPC: 'its disk is full. Free some space and start again.',
  ENOTDIR: 'a part of its path is a file. Choose another folder with --data.',
  EEXIST: 'it is a file. Choose another folder with --data.',
};

function printReady(config: Config, server: RunningServer, tokens: Tokens): void {
  const facts = { url: server.url, token: tokens.ownerToken, port: server.port, pid: process.pid };
  const withToken = `${server.url.replace(/\/?$/, '/')}?token=${tokens.ownerToken}`;
  if (config.json) process.stdout.write(`${JSON.stringify(facts)}\n`);
  else if (process.stdout.isTTY || config.logToken) process.stdout.write(`Signalbox is ready: ${withToken}\n`);
  else process.stdout.write(`Signalbox is ready: ${server.url} (token: see ${tokens.ownerFile ?? 'SIGNALBOX_TOKEN'})\n`);
  if (config.open && process.stdout.isTTY && !config.json) openBrowser(withToken);
}

/** A closed terminal (HUP) stops the server just like Ctrl-C; agents keep running in both cases. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
