/** An agent that takes prompts: behind the server, or its program without it. */
export interface TestAgent {
  /** Milliseconds from the request to start it until it accepted prompts. */
  readonly readyMs: number;
  /** Milliseconds from the prompt to the end of the turn. */
  prompt(text: string): Promise<number>;
  close(): Promise<void>;
}

/** How long to wait for an agent's answer. The slowest agent takes 5 s to start on an idle machine, and half a minute at ten times the load. */
export const LIMIT_MS = 120_000;
