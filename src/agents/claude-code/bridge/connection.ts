import { EventEmitter, once } from 'node:events';
import { WebSocket } from 'ws';

export interface ConnectionOptions {
  /** A frame as it came: one line, seldom several. Resolves when it is kept; until then no more is read. */
  heard(text: string): Promise<void> | undefined;
  /** Nobody has been connected for as long as that. */
  absent(): void;
  readonly absentMs: number;
}

/** The CLI at the other end, over however many sockets: it was seen to dial again about a second after a close. */
export class Connection {
  private socket: WebSocket | undefined;
  private readonly arrivals = new EventEmitter<{ socket: [WebSocket] }>();
  private timer: NodeJS.Timeout;
  private marks = 0;

  constructor(private readonly options: ConnectionOptions) {
    this.timer = this.waitForSomebody();
  }

  /** The newest wins: who dials again has given the old one up. */
  enter(socket: WebSocket): void {
    this.socket?.terminate();
    this.socket = socket;
    clearTimeout(this.timer);
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => hold(socket, this.options.heard(data.toString())));
    socket.on('close', () => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.timer = this.waitForSomebody();
    });
    this.arrivals.emit('socket', socket);
  }

  /** Resolves when the other side has taken the line. It is given again where that is not certain: the CLI ignores what it has had. */
  async give(line: string): Promise<void> {
    for (;;) {
      const socket = this.socket ?? (await once(this.arrivals, 'socket'))[0];
      if (await this.isTaken(socket, line)) return;
    }
  }

  /** Resolves when everything that was on its way has been heard: nobody is connected any more. */
  async left(): Promise<void> {
    if (this.socket !== undefined) await once(this.socket, 'close');
  }

  /** Frames arrive in order, so the answer to a ping behind the line says that the line arrived. */
  private isTaken(socket: WebSocket, line: string): Promise<boolean> {
    const mark = String(++this.marks);
    return new Promise((resolve) => {
      const pong = (said: Buffer): void => {
        if (said.toString() === mark) answer(true);
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

  private waitForSomebody(): NodeJS.Timeout {
    return setTimeout(this.options.absent, this.options.absentMs).unref();
  }
}

function hold(socket: WebSocket, kept: Promise<void> | undefined): void {
  if (kept === undefined) return;
  socket.pause();
  kept.then(
    () => socket.resume(),
    () => socket.terminate(),
  );
}
