import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { createOutgoingQueue, QUEUE_FROM_BYTES } from './outgoing-queue.ts';
import type { WireFrame } from './wire-frame.ts';

/** With more bytes queued than this, a client gets no more text in progress and is asked to subscribe again once it has caught up. */
export const DELTA_BOUND_BYTES = 4 * 1024 * 1024;
/** With more than this it gets no durable events either: they wait in the journal, not in memory. */
export const EVENT_BOUND_BYTES = 16 * 1024 * 1024;

/** Writes to one client. Everything written in one tick leaves in one system call. */
export interface SocketWriter {
  write(frame: WireFrame): void;
  /** Bytes the client has not taken yet, not counting the kernel's buffer. */
  queuedBytes(): number;
  /** Whether a drain event will come; with little in the queue there is none. */
  willDrain(): boolean;
  /** Bytes written so far. Grows as long as the client reads at all. */
  sentBytes(): number;
  /** Bytes received so far, including those of an incomplete message. */
  receivedBytes(): number;
  /** Ends the connection without waiting for a client that doesn't read. */
  cut(): void;
}

/**
 * Writes finished frames directly to the stream below the socket, which saves a header and a callback per client. This is
 * safe next to the socket's own pings and close frames because compression is off: the socket, too, then writes
 * every frame whole and immediately.
 */
export function openSocketWriter(
  socket: WebSocket,
  stream: Duplex & { readonly bytesWritten?: number; readonly bytesRead?: number },
  onDrain: () => void,
): SocketWriter {
  const isOpen = (): boolean => socket.readyState === socket.OPEN && !stream.destroyed;
  const queue = createOutgoingQueue((chunk) => {
    if (isOpen()) stream.write(chunk);
  });
  let corked = false;
  const uncork = (): void => {
    corked = false;
    stream.uncork();
  };
  stream.on('drain', () => {
    queue.flush();
    onDrain();
  });
  return {
    write: (frame) => {
      if (!isOpen()) return;
      if (stream.writableLength > QUEUE_FROM_BYTES) return queue.add(frame);
      queue.flush();
      if (!corked) {
        corked = true;
        stream.cork();
        process.nextTick(uncork);
      }
      stream.write(frame);
    },
    queuedBytes: () => stream.writableLength + queue.bytes(),
    willDrain: () => stream.writableNeedDrain,
    sentBytes: () => (stream.bytesWritten ?? 0) - stream.writableLength,
    receivedBytes: () => stream.bytesRead ?? 0,
    cut: () => socket.terminate(),
  };
}
