import * as z from 'zod/mini';
import {
  ActAnswer,
  type CommitBody,
  DraftMessage,
  Finish,
  PrAnswer,
  type PrBody,
  PrNow,
  type PushBody,
  type Side,
  type StageBody,
  StartedAnswer,
} from '../../../src/protocol/api/finish.ts';
import { caller } from './api.ts';

/** What people do with a session's changes. Throws the server's message if it refuses. */
export interface FinishApi {
  read(file?: { readonly path: string; readonly side: Side }): Promise<Finish>;
  trust(sha256: string): Promise<void>;
  change(act: 'stage' | 'unstage' | 'discard', body: StageBody): Promise<ActAnswer>;
  draft(): Promise<DraftMessage>;
  commit(body: z.infer<typeof CommitBody>): Promise<z.infer<typeof StartedAnswer>>;
  push(body: PushBody): Promise<z.infer<typeof StartedAnswer>>;
  openPullRequest(body: PrBody): Promise<PrAnswer>;
  pullRequest(): Promise<PrNow>;
  card(card: string, send: boolean): Promise<void>;
}

export function createFinishApi(base: string, sessionId: string): FinishApi {
  const call = caller(base);
  const at = `api/sessions/${encodeURIComponent(sessionId)}/git`;
  return {
    read: async (file) => z.parse(Finish, await call('GET', file === undefined ? at : `${at}?${new URLSearchParams({ path: file.path, side: file.side })}`)),
    trust: async (sha256) => void (await call('POST', `${at}/trust`, { sha256 })),
    change: async (act, body) => z.parse(ActAnswer, await call('POST', `${at}/${act}`, body)),
    draft: async () => z.parse(DraftMessage, await call('POST', `${at}/message`, {})),
    commit: async (body) => z.parse(StartedAnswer, await call('POST', `${at}/commit`, body)),
    push: async (body) => z.parse(StartedAnswer, await call('POST', `${at}/push`, body)),
    openPullRequest: async (body) => z.parse(PrAnswer, await call('POST', `${at}/pr`, body)),
    pullRequest: async () => z.parse(PrNow, await call('GET', `${at}/pr`)),
    card: async (card, send) => void (await call('POST', `${at}/card`, { card, send })),
  };
}
