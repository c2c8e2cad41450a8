/** Lines to an agent that runs without the server. */
export interface Channel {
  write(line: string): void;
  close(): Promise<void>;
}

/** Receives its lines, or the reason why there will be no more. */
export interface ChannelEvents {
  onLine(line: string): void;
  onFailure(why: string): void;
}
