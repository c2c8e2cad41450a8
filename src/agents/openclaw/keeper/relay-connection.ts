import { constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';

/** The relay of one session: lines in both directions, over a FIFO each. */
export interface RelayConnection {
  readonly name: string;
  put(line: string): void;
  /** Ends the relay after it has written everything. */
  close(): void;
}

export interface RelayEvents {
  onFrame(line: string): void;
  /** No further lines will arrive: the session ended, or its relay died. */
  left(): void;
}

/** How much may wait for a relay whose disk is full; beyond that the relay is closed. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Opens the two FIFOs that a relay made. The relay blocks until we open them, so our side must not block. */
export function openRelay(path: string, name: string, events: RelayEvents): RelayConnection {
  const up = new Socket({ fd: openSync(`${path}.up`, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
  // Read-write opens without blocking, and closing it still ends the relay's input: nobody else writes there.
  const down = new Socket({ fd: openOr(`${path}.down`, up), readable: false, writable: true });
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    up.destroy();
    down.end();
    for (const end of ['up', 'down', 'door']) rmSync(`${path}.${end}`, { force: true });
  };
  const left = (): void => {
    if (isOpen) events.left();
  };
  splitLines(up, events.onFrame);
  up.on('end', left).on('error', left);
  down.on('error', left);
  return {
    name,
    put: (line) => {
      if (!isOpen) return;
      down.write(`${line}\n`);
      if (down.writableLength > MAX_WAITING_BYTES) left();
    },
    close,
  };
}

function openOr(path: string, other: Socket): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  } catch (error) {
    other.destroy();
    throw error;
  }
}

const NEWLINE = 0x0a;

/** Only a newline ends a line, as on the bus; an incomplete last line is dropped. */
function splitLines(stream: Socket, onFrame: (line: string) => void): void {
  let parts: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, at)]).toString('utf8');
      parts = [];
      from = at + 1;
      onFrame(line);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
}
