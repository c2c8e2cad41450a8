import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Journal } from '../journal/journal.ts';
import type { Problems } from '../problems/problems.ts';
import type { Webhook, WebhookState } from '../protocol/api/outside/outside.ts';
import { type Event, WORKSPACE } from '../protocol/event.ts';
import type { SessionId } from '../protocol/ids.ts';
import { signedHeaders } from './webhook-signature.ts';

/** Outbound followers: each reads the journal from its own durable position, so that an event that nobody could receive waits, also for the next server. */
export interface Outbound {
  /** Something was appended, or the list of webhooks changed. */
  wake(): void;
  state(id: string): WebhookState;
  /** Resolves when every position so far is on disk. */
  saved(): Promise<void>;
  /** Try again now, also after it was parked. False if there is no such webhook. */
  resume(id: string): boolean;
  /** Resolves when no request is running anymore. */
  close(): Promise<void>;
}

export interface OutboundParts {
  readonly dataDir: string;
  readonly node: string;
  readonly journal: Pick<Journal, 'since' | 'position'>;
  readonly problems: Problems;
  readonly webhooks: () => readonly Webhook[];
  readonly secretOf: (id: string) => string | undefined;
  /** Whether the person who made the webhook gets what happens in this session. */
  readonly maySee: (webhook: Webhook, session: SessionId) => boolean;
  /** Replaces the file as a whole. */
  readonly write: (file: string, text: string) => Promise<void>;
  readonly now: () => number;
  readonly pausesMs?: readonly number[];
}

const Kept = z.object({
  position: z.int(),
  failingSince: z.optional(z.int()),
  tries: z.optional(z.int()),
  problem: z.optional(z.string()),
  isParked: z.optional(z.boolean()),
  lastDeliveredAt: z.optional(z.string()),
});
type Kept = z.infer<typeof Kept>;
const File = z.record(z.string(), Kept);

const PAGE = 200;
const LIMIT_MS = 10_000;
const PARK_AFTER_MS = 3 * 24 * 60 * 60_000;
const PAUSES_MS = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000];
const DELIVER = 'deliver webhooks';

export function openOutbound(parts: OutboundParts): Outbound {
  const file = join(parts.dataDir, 'webhooks.json');
  const kept = readKept(file);
  const followers = new Map<string, Follower>();
  let saving = Promise.resolve();
  const save = (): Promise<void> => {
    saving = saving.catch(() => undefined).then(() => parts.write(file, `${JSON.stringify(Object.fromEntries(kept))}\n`));
    return saving;
  };
  /** A new one is told what happens from now on, whichever server is running then. */
  const start = (id: string): void => {
    kept.set(id, { position: parts.journal.position() });
    save().catch((error: unknown) => parts.problems.failed(DELIVER, error, id));
  };
  const wake = (): void => {
    const wanted = parts.webhooks();
    for (const [id, follower] of followers) {
      if (wanted.some((webhook) => webhook.id === id)) continue;
      follower.stop();
      followers.delete(id);
      kept.delete(id);
    }
    for (const webhook of wanted) {
      if (!kept.has(webhook.id)) start(webhook.id);
      const follower = followers.get(webhook.id) ?? new Follower(parts, webhook, kept, save);
      followers.set(webhook.id, follower);
      follower.wake();
    }
  };
  wake();
  return {
    wake,
    state: (id) => stateOf(kept.get(id)),
    saved: () => saving,
    resume: (id) => {
      const { isParked: _, failingSince: __, tries: ___, ...rest } = kept.get(id) ?? { position: -1 };
      if (rest.position < 0) return false;
      kept.set(id, rest);
      followers.get(id)?.retryNow();
      return true;
    },
    close: async () => {
      await Promise.all([...followers.values()].map((follower) => follower.stop()));
      await saving.catch(() => undefined);
    },
  };
}

const stateOf = ({ isParked, failingSince, problem, lastDeliveredAt }: Kept = { position: 0 }): WebhookState => ({
  state: isParked === true ? 'parked' : failingSince === undefined ? 'working' : 'failing',
  ...(problem !== undefined && { problem }),
  ...(lastDeliveredAt !== undefined && { lastDeliveredAt }),
});

function readKept(file: string): Map<string, Kept> {
  try {
    return new Map(Object.entries(z.parse(File, JSON.parse(readFileSync(file, 'utf8')))));
  } catch {
    return new Map();
  }
}

/** Delivers to one webhook, one event after the other. */
class Follower {
  private running: Promise<void> | undefined;
  private isStopped = false;
  private isDue = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly parts: OutboundParts,
    private readonly webhook: Webhook,
    private readonly all: Map<string, Kept>,
    private readonly save: () => Promise<void>,
  ) {}

  wake(): void {
    this.isDue = true;
    if (this.running !== undefined || this.timer !== undefined || this.isStopped || this.now.isParked === true) return;
    this.running = this.run().finally(() => {
      this.running = undefined;
      if (this.isDue) this.wake();
    });
  }

  retryNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wake();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.stopping.abort();
    this.parts.problems.worked(DELIVER, this.webhook.id);
    await this.running;
  }

  private get now(): Kept {
    return this.all.get(this.webhook.id) ?? { position: this.parts.journal.position() };
  }

  private async run(): Promise<void> {
    const { journal, problems } = this.parts;
    while (this.isDue && !this.isStopped) {
      this.isDue = false;
      try {
        for (;;) {
          const page = journal.since(this.now.position, PAGE);
          for (const row of page) if (!(await this.pass(row))) return;
          if (page.length < PAGE) break;
        }
      } catch (error) {
        // The disk is full, or the journal is closing: the position stays.
        problems.failed(DELIVER, error, this.webhook.id);
        return this.again(this.now.tries ?? 0);
      }
    }
  }

  /** False when this event has to be tried again later. */
  private async pass({ position, session, event }: { readonly position: number; readonly session: SessionId; readonly event: Event }): Promise<boolean> {
    if (this.isStopped) return false;
    const { lastDeliveredAt } = this.now;
    if (!this.wants(session, event)) {
      this.all.set(this.webhook.id, { ...this.now, position });
      return true;
    }
    const problem = await this.deliver(`${this.parts.node}:${position}:${this.webhook.id}`, JSON.stringify({ sessionId: session, ...event }));
    if (this.isStopped || !this.all.has(this.webhook.id)) return false;
    if (problem !== undefined) return this.failed(problem, lastDeliveredAt);
    this.all.set(this.webhook.id, { position, lastDeliveredAt: new Date(this.parts.now()).toISOString() });
    this.parts.problems.worked(DELIVER, this.webhook.id);
    await this.save();
    return true;
  }

  private wants(session: SessionId, { type }: Event): boolean {
    const [kind] = type.split('.');
    if (!this.webhook.events.some((pattern) => pattern === '*' || pattern === type || pattern === `${kind}.*`)) return false;
    return session !== WORKSPACE && this.parts.maySee(this.webhook, session);
  }

  /** Why it was not accepted. */
  private async deliver(id: string, body: string): Promise<string | undefined> {
    const secret = this.parts.secretOf(this.webhook.id);
    if (secret === undefined) return 'Its secret is missing in the folder secrets. Remove the webhook and add it again.';
    try {
      const response = await fetch(this.webhook.url, {
        method: 'POST',
        // A redirect could lead to an address that nobody agreed to.
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(LIMIT_MS), this.stopping.signal]),
        headers: { 'content-type': 'application/json', ...signedHeaders(secret, id, Math.floor(this.parts.now() / 1000), body) },
        body,
      });
      await response.body?.cancel();
      return response.ok ? undefined : `It answered with status ${response.status}.`;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return `It can’t be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
  }

  private async failed(problem: string, lastDeliveredAt: string | undefined): Promise<false> {
    const { position, failingSince = this.parts.now(), tries = 0 } = this.now;
    const isParked = this.parts.now() - failingSince >= PARK_AFTER_MS;
    const delivered = lastDeliveredAt === undefined ? {} : { lastDeliveredAt };
    this.all.set(this.webhook.id, { position, failingSince, tries: tries + 1, problem, ...delivered, ...(isParked && { isParked }) });
    const words = isParked ? 'parked after three days: resume or remove it in the settings' : 'trying again';
    this.parts.problems.failed(DELIVER, new Error(`${new URL(this.webhook.url).host}: ${problem} (${words})`), this.webhook.id);
    await this.save();
    if (!isParked) this.again(tries);
    return false;
  }

  private again(tries: number): void {
    const pauses = this.parts.pausesMs ?? PAUSES_MS;
    this.isDue = false;
    this.timer = this.parts.problems.after(DELIVER, pauses[Math.min(tries, pauses.length - 1)] ?? 0, () => this.retryNow()).unref();
  }
}
