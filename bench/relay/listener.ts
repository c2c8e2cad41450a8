import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ClientOrder, ClientReport, Received, RelayAddress } from './client-messages.ts';

const PROGRAM = fileURLToPath(new URL('./client.ts', import.meta.url));

/** The benchmark's side of a client process. */
export interface Listener {
  receive(what: {
    readonly sessions: readonly string[];
    readonly text?: string;
    readonly deltas: number;
    readonly wantsLatencies?: boolean;
  }): Promise<Received>;
  pause(): Promise<void>;
  resume(): void;
  close(): void;
}

const LIMIT_MS = 180_000;

export async function openListener(relay: RelayAddress): Promise<Listener> {
  const child = fork(PROGRAM, { execArgv: ['--import', 'tsx'] });
  await ask(child, { do: 'connect', relay }, 'connected');
  return {
    receive: ({ wantsLatencies = false, ...what }) => ask(child, { do: 'listen', wantsLatencies, ...what }, 'received'),
    pause: async () => void (await ask(child, { do: 'pause' }, 'paused')),
    resume: () => child.send({ do: 'resume' } satisfies ClientOrder),
    close: () => child.kill('SIGKILL'),
  };
}

function ask<D extends ClientReport['did']>(child: ChildProcess, order: ClientOrder, did: D): Promise<Extract<ClientReport, { did: D }>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the client did not answer ${JSON.stringify(order).slice(0, 200)} in time`)), LIMIT_MS);
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
    };
    const onMessage = (report: ClientReport): void => {
      if (report.did !== did) return;
      settle();
      resolve(report as Extract<ClientReport, { did: D }>);
    };
    const onExit = (): void => {
      settle();
      reject(new Error('the client ended: its connection was closed'));
    };
    child.on('message', onMessage).on('exit', onExit);
    child.send(order);
  });
}
