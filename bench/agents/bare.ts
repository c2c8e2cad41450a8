import { randomUUID } from 'node:crypto';
import type { Adapter } from '../../src/agents/adapter.ts';
import type { CommandId } from '../../src/protocol/ids.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import type { Channel } from './channel.ts';
import { openGatewayClient } from './gateway-channel.ts';
import { openProgram } from './program-channel.ts';
import type { Speaker } from './speaker.ts';
import type { Subject } from './subject.ts';
import { createWait, type Wait } from './wait.ts';

/** The agent alone: the same lines as behind the server, to the program itself, or to the Gateway that serves all sessions. */
export async function openBare({ title, adapter, example, bench }: Subject): Promise<Speaker> {
  const opening = { cwd: bench.server.project, options: {}, mode: 'new', agentSessionId: randomUUID() } as const;
  const wait = createWait<Observation>(`${title} alone`);
  const since = performance.now();
  const isReady = wait.next('word that it is ready', ({ type }) => type === 'agent.ready');
  isReady.catch(() => undefined); // where the program cannot even be reached, nobody comes to hear of it
  const talk = new Talk(adapter, wait);
  const events = { heard: (line: string) => talk.hear(line), failed: wait.fail };
  const isShared = bench.outliving !== undefined;
  const channel = isShared ? await openGatewayClient(example, events) : openProgram(example, opening.agentSessionId, opening.cwd, events);
  talk.begin(channel, adapter.handshake(opening));
  await isReady;
  return { readyMs: performance.now() - since, say: (text) => talk.say(text), close: () => channel.close() };
}

/** What the adapter says and understands. */
class Talk {
  private state: unknown;
  private channel: Channel | undefined;
  /** What was heard before it was known whom to answer. */
  private early: string[] = [];

  constructor(
    private readonly adapter: Adapter,
    private readonly wait: Wait<Observation>,
  ) {
    this.state = adapter.initial();
  }

  begin(channel: Channel, lines: readonly string[]): void {
    this.channel = channel;
    for (const line of this.early) this.hear(line);
    this.write(lines);
  }

  hear(line: string): void {
    if (this.channel === undefined) return void this.early.push(line);
    const told = this.adapter.translate(this.state, line);
    this.state = told.state;
    this.write(told.replies);
    for (const observation of told.observations) this.wait.see(observation);
  }

  async say(text: string): Promise<number> {
    const isOver = this.wait.next('end of the turn', ({ type }) => type === 'turn.ended');
    const began = performance.now();
    this.write(this.adapter.encode({ kind: 'input', commandId: randomUUID() as CommandId, text, images: [], steer: false }, this.state));
    await isOver;
    return performance.now() - began;
  }

  private write(lines: readonly string[]): void {
    for (const line of lines) this.channel?.write(line);
  }
}
