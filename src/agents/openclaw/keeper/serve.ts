import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectGateway } from './gateway.ts';
import { endGateway } from './gateway-process.ts';
import { MessageRouter } from './message-router.ts';
import { claim, pidIn, release } from './pid-file.ts';
import type { RelayConnection } from './relay-connection.ts';
import { type RelayWatcher, watchRelays } from './watch-relays.ts';

/** A Gateway is slow to start and takes 1 GB while it runs: it stays for the next session as long as a session stays for its next message. */
const IDLE_MS = 10 * 60_000;
const CLAIM_MS = 100;
/** Less than the 3 s that the host waits after the end of input. */
const SETTLE_MS = 1500;

/** Acts as the keeper of this folder until no session needs one, or a signal ends it. */
export async function serve(folder: string, openclaw: readonly string[]): Promise<void> {
  if (!claim(folder)) process.exit(0);
  // Another process that found the same stale pid file has replaced it by now: only one of us stays.
  await pause(CLAIM_MS);
  if (pidIn(folder) !== process.pid) process.exit(0);
  const router = new MessageRouter();
  const gateway = new Gateway(folder, openclaw, router);
  const relays = watchRelays(join(folder, 'doors'), (open) => {
    const relay: RelayConnection = open({
      onFrame: (line) => router.fromRelay(relay, line),
      left: () => void router.leave(relay, SETTLE_MS).then(() => gateway.startIdleTimer()),
    });
    router.enter(relay);
    gateway.reach();
  });
  gateway.whenIdle = () => void end(folder, router, relays, 'idle');
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => void end(folder, router, relays, 'signal'));
  if (relays.look() === 0) gateway.startIdleTimer();
}

/** A relay announced before the pid file was removed relies on us; a later one starts its own keeper. */
async function end(folder: string, router: MessageRouter, relays: RelayWatcher, why: 'idle' | 'signal'): Promise<void> {
  release(folder);
  if (why === 'idle' && relays.look() > 0 && claim(folder)) return;
  router.lost('The keeper of the OpenClaw Gateway was stopped.');
  relays.close();
  await endGateway(folder, until);
  process.exit(0);
}

async function until(limitMs: number, test: () => boolean): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!test()) {
    if (performance.now() > deadline) return false;
    await pause(50);
  }
  return true;
}

/** The one connection, made when a session needs it. */
class Gateway {
  whenIdle: () => void = () => undefined;
  private state: 'none' | 'reaching' | 'connected' = 'none';
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly openclaw: readonly string[],
    private readonly router: MessageRouter,
  ) {}

  reach(): void {
    clearTimeout(this.idle);
    if (this.state !== 'none') return;
    this.state = 'reaching';
    const events = {
      onFrame: this.router.onFrame.bind(this.router),
      lost: (why: string) => this.lost(`The connection to the OpenClaw Gateway was lost (${why}).`),
    };
    connectGateway(this.folder, this.openclaw, events, (text) => this.router.sendToAll({ phase: 'starting', text })).then(
      (connection) => {
        this.state = 'connected';
        this.router.connected(connection);
      },
      (error: unknown) => this.lost(error instanceof Error ? error.message : String(error)),
    );
  }

  /** Starts the idle timer when no session is left. */
  startIdleTimer(): void {
    clearTimeout(this.idle);
    if (this.router.isEmpty) this.idle = setTimeout(this.whenIdle, IDLE_MS);
  }

  private lost(why: string): void {
    this.state = 'none';
    this.router.lost(why);
    this.startIdleTimer();
  }
}
