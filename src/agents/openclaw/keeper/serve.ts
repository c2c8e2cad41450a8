import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { claim, pidIn, release } from './claim.ts';
import type { Door } from './door.ts';
import { type Doors, watchDoors } from './doors.ts';
import { reachGateway } from './gateway.ts';
import { endGateway } from './gateway-process.ts';
import { Switchboard } from './switchboard.ts';

/** A Gateway takes long to start and 1 GB while it runs: it waits for the next session as long as one waits for its next message. */
const IDLE_MS = 10 * 60_000;
const CLAIM_MS = 100;
/** Below the 3 s for which the host waits after the end of input. */
const SETTLE_MS = 1500;

/** Is the keeper of this folder until nobody needs one, or it is told to end. */
export async function serve(folder: string, openclaw: readonly string[]): Promise<void> {
  if (!claim(folder)) process.exit(0);
  // Whoever found an old name at the same moment has put his in its place by now: one of us stays.
  await pause(CLAIM_MS);
  if (pidIn(folder) !== process.pid) process.exit(0);
  const board = new Switchboard();
  const gateway = new Gateway(folder, openclaw, board);
  const doors = watchDoors(join(folder, 'doors'), (open) => {
    const door: Door = open({
      heard: (line) => board.said(door, line),
      left: () => void board.leave(door, SETTLE_MS).then(() => gateway.rest()),
    });
    board.enter(door);
    gateway.reach();
  });
  gateway.whenIdle = () => void end(folder, board, doors, 'idle');
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => void end(folder, board, doors, 'told'));
  if (doors.look() === 0) gateway.rest();
}

/** Whoever announced himself before the name was gone relies on us; whoever comes later begins a keeper of his own. */
async function end(folder: string, board: Switchboard, doors: Doors, why: 'idle' | 'told'): Promise<void> {
  release(folder);
  if (why === 'idle' && doors.look() > 0 && claim(folder)) return;
  board.lost('The keeper of the OpenClaw Gateway was ended.');
  doors.close();
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

/** The one connection, made when somebody needs it. */
class Gateway {
  whenIdle: () => void = () => undefined;
  private state: 'none' | 'reaching' | 'there' = 'none';
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly openclaw: readonly string[],
    private readonly board: Switchboard,
  ) {}

  reach(): void {
    clearTimeout(this.idle);
    if (this.state !== 'none') return;
    this.state = 'reaching';
    const events = { heard: this.board.heard.bind(this.board), lost: (why: string) => this.lost(`The connection to the OpenClaw Gateway was lost (${why}).`) };
    reachGateway(this.folder, this.openclaw, events, (text) => this.board.tellAll({ phase: 'starting', text })).then(
      (connection) => {
        this.state = 'there';
        this.board.connected(connection);
      },
      (error: unknown) => this.lost(error instanceof Error ? error.message : String(error)),
    );
  }

  /** Nobody may need it any more. */
  rest(): void {
    clearTimeout(this.idle);
    if (this.board.isEmpty) this.idle = setTimeout(this.whenIdle, IDLE_MS);
  }

  private lost(why: string): void {
    this.state = 'none';
    this.board.lost(why);
    this.rest();
  }
}
