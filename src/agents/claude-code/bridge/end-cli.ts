import * as z from 'zod/mini';
import type { Cli } from './cli.ts';
import type { Connection } from './connection.ts';
import { jsonIn } from './json.ts';

/** Together less than the 3 s that the host waits after the end of input. */
const ASKED_MS = 1500;
const SIGNAL_MS = 400;

const REQUEST_ID = 'bridge:end';
/** Seen with 2.1.120: the CLI interrupts the running turn, prints its result, withdraws the pending request and exits. */
const END_SESSION = JSON.stringify({ type: 'control_request', request_id: REQUEST_ID, request: { subtype: 'end_session' } });

/** Ends the CLI: first a request, then signals. Closing the socket isn't enough: the CLI reconnects forever. */
export async function endCli(cli: Cli, connection: Connection): Promise<void> {
  void connection.deliver(END_SESSION);
  if (await within(ASKED_MS, cli.exited)) return;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    cli.signal(name);
    if (await within(SIGNAL_MS, cli.exited)) return;
  }
}

const ControlResponse = z.object({ response: z.object({ request_id: z.literal(REQUEST_ID) }) });

/** The answer to our own request is not passed on. */
export const isAnswerToEnd = (line: string): boolean => line.includes(REQUEST_ID) && ControlResponse.safeParse(jsonIn(line)).success;

/** Whether the promise resolves in time. */
export function within(limitMs: number, what: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void what.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
