import { randomUUID } from 'node:crypto';
import type { Adapter } from '../../src/agents/port/adapter.ts';
import type { CommandId } from '../../src/protocol/ids.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import type { Channel } from './channel.ts';
import { openGatewayClient } from './gateway-channel.ts';
import { openProgram } from './program-channel.ts';
import type { Subject } from './subject.ts';
import type { TestAgent } from './test-agent.ts';
import { createWait, type Wait } from './wait.ts';

/** The agent without the server: it gets the same lines, sent directly to its program or to the Gateway that serves all sessions. */
export async function openBare({ title, adapter, example, bench }: Subject): Promise<TestAgent> {
  const opening = { cwd: bench.server.project, options: {}, mode: 'new', agentSessionId: randomUUID() } as const;
  const wait = createWait<Observation>(`${title} alone`);
  const since = performance.now();
  const isReady = wait.next('ready message', ({ type }) => type === 'agent.ready');
  isReady.catch(() => undefined); // if the program can't be reached at all, nobody awaits this promise
  const exchange = new Exchange(adapter, wait);
  const events = { onLine: (line: string) => exchange.receive(line), onFailure: wait.fail };
  const isShared = bench.outliving !== undefined;
  const channel = isShared ? await openGatewayClient(example, events) : openProgram(example, opening.agentSessionId, opening.cwd, events);
  exchange.start(channel, adapter.handshake(opening));
  await isReady;
  return { readyMs: performance.now() - since, prompt: (text) => exchange.prompt(text), close: () => channel.close() };
}

/** Sends and reads lines through the adapter. */
class Exchange {
  private state: unknown;
  private channel: Channel | undefined;
  /** Lines received before the channel was set. */
  private early: string[] = [];

  constructor(
    private readonly adapter: Adapter,
    private readonly wait: Wait<Observation>,
  ) {
    this.state = adapter.initial();
  }

  start(channel: Channel, lines: readonly string[]): void {
    this.channel = channel;
    for (const line of this.early) this.receive(line);
    this.write(lines);
  }

  receive(line: string): void {
    if (this.channel === undefined) return void this.early.push(line);
    const translated = this.adapter.translate(this.state, line);
    this.state = translated.state;
    this.write(translated.replies);
    for (const observation of translated.observations) this.wait.see(observation);
  }

  async prompt(text: string): Promise<number> {
    const ended = this.wait.next('end of the turn', ({ type }) => type === 'turn.ended');
    const startedAt = performance.now();
    this.write(this.adapter.encode({ kind: 'input', commandId: randomUUID() as CommandId, text, images: [], steer: false }, this.state));
    await ended;
    return performance.now() - startedAt;
  }

  private write(lines: readonly string[]): void {
    for (const line of lines) this.channel?.write(line);
  }
}
