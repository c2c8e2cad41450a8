import { actorOf, type BackgroundTask, type Delivery, deliveriesOf } from '../domain/background-task.ts';
import { RETRY_MS } from '../problems/problems.ts';
import { SYSTEM } from '../protocol/actor.ts';
import { type Command, isRefusal, type Receipt, type Refusal } from '../protocol/command.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { EngineContext } from './loop/engine-context.ts';

const WHAT = 'send reviews';

/** Submits a command in somebody's name; a command that already has a receipt gets it again. */
type Submit = (command: Command, actor: ReturnType<typeof actorOf>) => Promise<Receipt | Refusal>;

interface Refused {
  readonly sessionId: SessionId;
  readonly message: string;
}

/** Work that an event of the workspace asked for: repeated until every command has a receipt or a refusal, also by the next server. */
export class BackgroundTasks {
  readonly #running = new Map<string, Promise<readonly Refused[]>>();

  constructor(
    private readonly context: EngineContext,
    private readonly submit: Submit,
  ) {}

  /** Continues what an earlier server left open. */
  resume(): void {
    for (const task of this.context.workspace.state.tasks) void this.run(task);
  }

  /** Resolves with what was refused, once everything is answered. */
  run(task: BackgroundTask): Promise<readonly Refused[]> {
    const running = this.#running.get(task.taskId) ?? this.#untilDone(task).finally(() => this.#running.delete(task.taskId));
    this.#running.set(task.taskId, running);
    return running;
  }

  async #untilDone(task: BackgroundTask): Promise<readonly Refused[]> {
    const { problems } = this.context.deps;
    for (;;) {
      if (this.context.closing) return [];
      try {
        const refused = await this.#once(task);
        if (!this.context.closing) this.context.workspace.endTask(task.taskId, refused);
        problems.worked(WHAT, task.taskId);
        return refused;
      } catch (error) {
        problems.failed(WHAT, error, task.taskId);
        await new Promise<void>((resolve) => problems.after(WHAT, RETRY_MS, resolve).unref());
      }
    }
  }

  async #once(task: BackgroundTask): Promise<readonly Refused[]> {
    const refused: Refused[] = [];
    for (const delivery of deliveriesOf(task, ({ sha256 }) => this.#text(sha256))) {
      const refusal = await this.#deliver(delivery, task);
      if (refusal !== undefined) refused.push({ sessionId: delivery.message.sessionId, message: refusal.message });
    }
    return refused;
  }

  async #deliver({ message, marks }: Delivery, task: BackgroundTask): Promise<Refusal | undefined> {
    const actor = actorOf(task, SYSTEM);
    const answer = await this.submit(message, actor);
    if (isRefusal(answer)) return this.#isPassing(answer) ? Promise.reject(new Error(answer.message)) : answer;
    for (const mark of marks) {
      const marked = await this.submit(mark, actor);
      if (isRefusal(marked) && this.#isPassing(marked)) throw new Error(marked.message);
    }
    return undefined;
  }

  /** The server is ending or the disk is full: the same command works later. */
  #isPassing = ({ refused }: Refusal): boolean => refused === 'shutting-down' || refused === 'disk-low';

  #text(sha256: string): string {
    const bytes = this.context.deps.journal.blob(sha256);
    if (bytes === undefined) throw new Error(`The blob ${sha256} is missing from the data folder`);
    return Buffer.from(bytes).toString('utf8');
  }
}
