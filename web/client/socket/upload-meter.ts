type Line = Pick<WebSocket, 'bufferedAmount' | 'send'>;

/** Watches whether a socket still takes what it was given. */
export class UploadMeter {
  /** Bytes that it had still to take at the last look, and what it was given since. */
  private untaken = 0;

  constructor(private readonly line: Line) {}

  send(text: string): void {
    const before = this.line.bufferedAmount;
    this.line.send(text);
    this.untaken += this.line.bufferedAmount - before;
  }

  /** Whether bytes left since the last look. The last ones do not count: the system takes those also for a line that is dead. */
  isDraining(): boolean {
    const before = this.untaken;
    this.untaken = this.line.bufferedAmount;
    return this.untaken > 0 && this.untaken < before;
  }
}
