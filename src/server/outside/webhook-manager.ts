import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { addressProblem } from '../../domain/policy/webhook-address.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { NewWebhookBody, Webhook, WebhookShown, WebhookState } from '../../protocol/api/outside/outside.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import { isScriptSession, type SessionId } from '../../protocol/ids.ts';
import { writeSecretFile } from '../auth/secret.ts';
import { newCommandId } from '../http/routes/session.ts';

/** What delivers; loaded only while there is a webhook. */
export interface Deliveries {
  wake(): void;
  state(id: string): WebhookState;
  saved(): Promise<void>;
  resume(id: string): boolean;
  close(): Promise<void>;
}

export interface WebhookManager {
  list(): readonly WebhookShown[];
  add(body: z.infer<typeof NewWebhookBody>, by: Actor): Promise<{ readonly webhook: Webhook; readonly secret: string } | Refusal>;
  remove(id: string, by: Actor): Promise<Refusal | undefined>;
  resume(id: string): Refusal | undefined;
  close(): Promise<void>;
}

interface Parts {
  readonly engine: Pick<Engine, 'outside' | 'workspace' | 'watch' | 'session'>;
  readonly dataDir: string;
  readonly load: (sources: DeliverySources) => Promise<Deliveries>;
}

export interface DeliverySources {
  readonly webhooks: () => readonly Webhook[];
  readonly secretOf: (id: string) => string | undefined;
  readonly maySee: (webhook: Webhook, session: SessionId) => boolean;
}

export async function openWebhooks({ engine, dataDir, load }: Parts): Promise<WebhookManager> {
  const all = (): readonly Webhook[] => engine.outside().webhooks;
  let deliveries: Deliveries | undefined;
  let stopWatching = (): void => {};
  const wake = async (): Promise<void> => {
    if (deliveries === undefined && all().length > 0) {
      const loaded = await load({ webhooks: all, secretOf: (id) => secretIn(dataDir, id), maySee: (webhook, session) => maySee(engine, webhook, session) });
      deliveries = loaded;
      stopWatching = engine.watch('*', (news) => void (news.kind === 'events' && loaded.wake()));
    }
    deliveries?.wake();
  };
  await wake();
  return {
    list: () => all().map((webhook) => ({ ...webhook, ...(deliveries?.state(webhook.id) ?? { state: 'working' as const }) })),
    add: async ({ url, events, secret = `whsec_${randomBytes(24).toString('base64')}` }, by) => {
      const problem = addressProblem(url);
      if (problem !== undefined) return { refused: 'bad-request', message: `${problem} Nothing was added.` };
      const webhookId = randomBytes(9).toString('base64url');
      writeSecretFile(secretFile(dataDir, webhookId), { secret });
      const receipt = await engine.workspace({ type: 'webhook.add', commandId: newCommandId(), webhookId, url, events }, by);
      if (isRefusal(receipt)) return receipt;
      await wake();
      await deliveries?.saved();
      const webhook = all().find(({ id }) => id === webhookId);
      return webhook === undefined ? { refused: 'not-found', message: 'Somebody removed it again.' } : { webhook, secret };
    },
    remove: async (id, by) => {
      const receipt = await engine.workspace({ type: 'webhook.remove', commandId: newCommandId(), webhookId: id }, by);
      if (isRefusal(receipt)) return receipt;
      await wake();
      rmSync(secretFile(dataDir, id), { force: true });
      return undefined;
    },
    resume: (id) => (deliveries?.resume(id) === true ? undefined : { refused: 'not-found', message: `There is no webhook ${id}.` }),
    close: async () => {
      stopWatching();
      await deliveries?.close();
    },
  };
}

/** A private session is only for the person who owns it. */
function maySee(engine: Pick<Engine, 'session'>, { createdBy }: Webhook, id: SessionId): boolean {
  const session = isScriptSession(id) ? undefined : engine.session(id);
  return session !== undefined && (session.closed !== true || session.ownerId === createdBy.id);
}

/** No session's secrets can have this name: an id has no dot. */
const secretFile = (dataDir: string, id: string): string => join(dataDir, 'secrets', `webhook.${id}.json`);

function secretIn(dataDir: string, id: string): string | undefined {
  try {
    return z.parse(z.object({ secret: z.string() }), JSON.parse(readFileSync(secretFile(dataDir, id), 'utf8'))).secret;
  } catch {
    return undefined;
  }
}
