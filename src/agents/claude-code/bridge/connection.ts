import { EventEmitter, once } from 'node:events';
import { WebSocket } from 'ws';

export interface ConnectionOptions {
  /** A frame: one line, rarely several. Resolves when it is stored; until then nothing else is read. */
  onFrame(text: string): Promise<void> | undefined;
  /** The CLI hasn't been connected for `absentMs`. */
  onAbsent(): void;
  readonly absentMs: number;
}

/** The CLI at the other end, over any number of sockets: it reconnects about a second after a socket closes. */
export class Connection {
  private socket: WebSocket | undefined;
  private readonly arrivals = new EventEmitter<{ socket: [WebSocket] }>();
  private timer: NodeJS.Timeout;
  private marks = 0;

  constructor(private readonly options: ConnectionOptions) {
    this.timer = this.startAbsenceTimer();
  }

  /** The newest socket wins: the CLI has abandoned the old one. */
  accept(socket: WebSocket): void {
    this.socket?.terminate();
    this.socket = socket;
    clearTimeout(this.timer);
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => pauseUntil(socket, this.options.onFrame(data.toString())));
    socket.on('close', () => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.timer = this.startAbsenceTimer();
    });
    this.arrivals.emit('socket', socket);
  }

  /** Resolves when the CLI has received the line. If that isn't certain, it is sent again: the CLI ignores duplicates. */
  async deliver(line: string): Promise<void> {
    for (;;) {
      const socket = this.socket ?? (await once(this.arrivals, 'socket'))[0];
      if (await this.isTaken(socket, line)) return;
    }
  }

  /** Resolves when the socket is closed and everything sent has arrived. */
  async closed(): Promise<void> {
    if (this.socket !== undefined) await once(this.socket, 'close');
  }

  /** Frames arrive in order, so the answer to a ping sent after the line proves that the line arrived. */
  private isTaken(socket: WebSocket, line: string): Promise<boolean> {
    const mark = String(++this.marks);
    return new Promise((resolve) => {
      const pong = (data: Buffer): void => {
        if (data.toString() === mark) answer(true);
      };
      const closed = (): void => answer(false);
      const answer = (isTaken: boolean): void => {
        socket.off('pong', pong);
        socket.off('close', closed);
        resolve(isTaken);
      };
      socket.on('pong', pong);
      socket.on('close', closed);
      if (socket.readyState === WebSocket.CLOSED) answer(false);
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(`${line}\n`);
      socket.ping(mark);
    });
  }

  private startAbsenceTimer(): NodeJS.Timeout {
    return setTimeout(this.options.onAbsent, this.options.absentMs).unref();
  }
}

function pauseUntil(socket: WebSocket, stored: Promise<void> | undefined): void {
  if (stored === undefined) return;
  socket.pause();
  stored.then(
    () => socket.resume(),
    () => socket.terminate(),
  );
}
