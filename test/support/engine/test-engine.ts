import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { OpenEngine } from '../../../src/engine/open-engine.ts';
import type { Actor } from '../../../src/protocol/actor.ts';
import { type Command, isRefusal, type Receipt } from '../../../src/protocol/command.ts';
import type { Event, EventOf, EventType } from '../../../src/protocol/event.ts';
import type { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { endProcessesOf } from '../processes.ts';
import { waitFor } from '../wait-for.ts';
import { type EngineOptions, openTestEngine } from './open-test-engine.ts';
import { QUICK } from './test-host.ts';

export type { EngineOptions } from './open-test-engine.ts';

export const ADA: Actor = { kind: 'person', id: 'ada', name: 'Ada' };

/** An engine on real files that can be closed and opened again. */
export interface EngineSetup {
  readonly folder: string;
  readonly dataDir: string;
  readonly home: string;
  engine: OpenEngine;
  /** Closes this engine, leaves agents running, and opens another on the same data with changed options. */
  reopen(changed?: EngineOptions): Promise<void>;
  /** Closes this engine and leaves agents running. */
  close(): Promise<void>;
  do(command: WithoutId): Promise<Receipt>;
  events(id: SessionId): readonly Event[];
  event<T extends EventType>(id: SessionId, type: T, matches?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type WithoutId = DistributiveOmit<Command, 'commandId'> & { readonly commandId?: CommandId };

export async function createEngine(options: EngineOptions = {}): Promise<EngineSetup> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-engine-')));
  const [dataDir, home] = [join(folder, 'data'), join(folder, 'home')];
  mkdirSync(home);
  const open = (changed: EngineOptions = {}) => openTestEngine(dataDir, home, folder, { limits: QUICK, ...options, ...changed });
  const first = await open();
  let close = first.close;
  const setup: EngineSetup = {
    folder,
    dataDir,
    home,
    engine: first.engine,
    reopen: async (changed) => {
      await close(false);
      const next = await open(changed);
      setup.engine = next.engine;
      close = next.close;
    },
    close: () => close(false),
    do: async (command) => {
      const answer = await setup.engine.submit({ commandId: randomUUID() as CommandId, ...command } as Command, ADA);
      if (isRefusal(answer)) throw new Error(`${answer.refused}: ${answer.message}`);
      return answer;
    },
    events: (id) => setup.engine.events(id, { after: 0, limit: 100_000 }),
    event: async (id, type, matches = () => true) => {
      const isMatch = (event: Event): event is EventOf<typeof type> => event.type === type && matches(event as EventOf<typeof type>);
      return waitFor(`${type} in ${id}`, () => setup.events(id).find(isMatch));
    },
  };
  onTestFinished(async () => {
    await close(true);
    // If the test had already closed the engine, its agents are still running.
    await endProcessesOf(home);
    rmSync(folder, { recursive: true, force: true });
  });
  return setup;
}
