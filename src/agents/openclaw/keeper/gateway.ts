import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, type ConnectionEvents, connect, NotListening, NotReady } from './connection.ts';
import { ourGateway, type StartedGateway, startGateway } from './gateway-process.ts';
import { settingsOf } from './settings.ts';

/** Seen: 7 s on an idle machine, 140 s on one with twenty times its normal load. */
const READY_MS = 600_000;
const TRY_AGAIN_MS = 200;
const LOG_SHOWN_CHARS = 1500;

/** Connects to the Gateway of this home, and starts it when nothing listens; `report` gets the progress. Throws readable errors. */
export async function connectGateway(
  folder: string,
  openclaw: readonly string[],
  events: ConnectionEvents,
  report: (text: string) => void,
): Promise<Connection> {
  const settings = settingsOf(folder);
  const startedAt = performance.now();
  let started: StartedGateway | undefined;
  const progress = createProgress(report);
  for (;;) {
    try {
      const connection = await connect(settings, events);
      progress(started?.log() ?? '');
      if (started !== undefined) report(`The OpenClaw Gateway is ready after ${Math.round((performance.now() - startedAt) / 1000)} s.`);
      return connection;
    } catch (error) {
      if (!(error instanceof NotListening) && !(error instanceof NotReady)) throw refused(settings.port, error);
      if (started === undefined && error instanceof NotListening && ourGateway(folder) === undefined) {
        report('The OpenClaw Gateway is being started. That takes up to a minute.');
        started = startGateway(folder, openclaw, settings);
      }
      progress(started?.log() ?? '');
      if (started !== undefined && hasEnded(started)) throw new Error(`The OpenClaw Gateway could not be started: ${ending(started)}`);
      if (performance.now() - startedAt > READY_MS) throw new Error(`The OpenClaw Gateway is not ready after ${READY_MS / 1000} s: ${messageOf(error)}.`);
    }
    await pause(TRY_AGAIN_MS);
  }
}

const refused = (port: number, error: unknown): Error =>
  new Error(
    `The OpenClaw Gateway on port ${port} refuses the connection: ${messageOf(error)}. If its token is not in openclaw.json, set OPENCLAW_GATEWAY_TOKEN for the server.`,
  );

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const hasEnded = ({ child }: StartedGateway): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

const ending = ({ child, log }: StartedGateway): string =>
  `it ended with ${child.exitCode ?? child.signalCode ?? 'an error'}. Its last output:\n${log().trim().slice(-LOG_SHOWN_CHARS)}`;

/** The Gateway prints each step that it starts with dots at the end. */
const STEP = /\[gateway\] (.+?)(?:…|\.\.\.)\s*$/gm;

function createProgress(report: (text: string) => void): (log: string) => void {
  const reported = new Set<string>();
  return (log) => {
    for (const [, step = ''] of log.matchAll(STEP)) {
      if (reported.has(step)) continue;
      reported.add(step);
      report(`OpenClaw Gateway: ${step}.`);
    }
  };
}
