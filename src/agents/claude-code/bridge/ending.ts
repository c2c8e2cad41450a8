import * as z from 'zod/mini';
import type { Cli } from './cli.ts';
import type { Connection } from './connection.ts';
import { jsonIn } from './json.ts';

/** Together below the 3 s for which the host waits after the end of input. */
const ASKED_MS = 1500;
const SIGNAL_MS = 400;

const REQUEST_ID = 'bridge:end';
/** Seen with 2.1.120: the turn that runs is ended as by an interrupt and its result told, an open request is withdrawn, and the CLI exits. */
const END_SESSION = JSON.stringify({ type: 'control_request', request_id: REQUEST_ID, request: { subtype: 'end_session' } });

/** Without us nobody hears the CLI: it is asked to end, and made to when it does not. A closed socket would not do: it dials again for ever. */
export async function endCli(cli: Cli, connection: Connection): Promise<void> {
  void connection.give(END_SESSION);
  if (await within(ASKED_MS, cli.exited)) return;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    cli.signal(name);
    if (await within(SIGNAL_MS, cli.exited)) return;
  }
}

const ControlResponse = z.object({ response: z.object({ request_id: z.literal(REQUEST_ID) }) });

/** The answer to what only we asked is for nobody else. */
export const isAnswerToEnd = (line: string): boolean => line.includes(REQUEST_ID) && ControlResponse.safeParse(jsonIn(line)).success;

/** Whether it came to pass in time. */
export function within(limitMs: number, what: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void what.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
