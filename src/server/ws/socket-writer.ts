import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { BACKLOG_FROM_BYTES, createBacklog } from './outgoing-queue.ts';
import type { WireFrame } from './wire-frame.ts';

/** Past this many waiting bytes a client gets no more text in progress; it is told to subscribe again once it has caught up. */
export const DELTA_BOUND_BYTES = 4 * 1024 * 1024;
/** Past this it gets no durable events either: they wait in the journal, not in memory. */
export const EVENT_BOUND_BYTES = 16 * 1024 * 1024;

/** The way to one client. Writes of one tick leave in one system call. */
export interface Pipe {
  write(frame: WireFrame): void;
  /** Bytes that the client has not taken yet, beyond what the kernel holds. */
  queuedBytes(): number;
  /** Whether the word will come that all was taken; with little in the queue it does not. */
  willDrain(): boolean;
  /** Bytes that have left for good; it grows while the client reads at all. */
  takenBytes(): number;
  /** Bytes that have come from the client, also of a message that is not whole yet. */
  givenBytes(): number;
  /** Ends the connection without waiting for a client that does not read. */
  cut(): void;
}

/**
 * Writes ready-made frames to the stream below the socket, which spares a header and a callback a client. It is
 * safe beside the socket's own pings and close frames because compression is off: then the socket, too, writes
 * every frame whole and at once.
 */
export function openPipe(socket: WebSocket, stream: Duplex & { readonly bytesWritten?: number; readonly bytesRead?: number }, onDrain: () => void): Pipe {
  const isOpen = (): boolean => socket.readyState === socket.OPEN && !stream.destroyed;
  const backlog = createBacklog((chunk) => {
    if (isOpen()) stream.write(chunk);
  });
  let corked = false;
  const uncork = (): void => {
    corked = false;
    stream.uncork();
  };
  stream.on('drain', () => {
    backlog.flush();
    onDrain();
  });
  return {
    write: (frame) => {
      if (!isOpen()) return;
      if (stream.writableLength > BACKLOG_FROM_BYTES) return backlog.add(frame);
      backlog.flush();
      if (!corked) {
        corked = true;
        stream.cork();
        process.nextTick(uncork);
      }
      stream.write(frame);
    },
    queuedBytes: () => stream.writableLength + backlog.bytes(),
    willDrain: () => stream.writableNeedDrain,
    takenBytes: () => (stream.bytesWritten ?? 0) - stream.writableLength,
    givenBytes: () => stream.bytesRead ?? 0,
    cut: () => socket.terminate(),
  };
}
