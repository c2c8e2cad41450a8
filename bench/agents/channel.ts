/** Lines to an agent that is not behind the server. */
export interface Channel {
  write(line: string): void;
  close(): Promise<void>;
}

/** Who hears its lines, and why no more can come. */
export interface ChannelEvents {
  heard(line: string): void;
  failed(why: string): void;
}
