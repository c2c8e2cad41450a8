import { CheckpointList, RevertAnswer, type RevertDone, type RevertPreview, TurnDiff } from '../../../src/protocol/api/checkpoints.ts';
import { caller } from './api.ts';

export interface RevertWish {
  readonly to: number;
  /** Without paths: all that the session changed since. */
  readonly paths?: readonly string[];
  readonly force?: readonly string[];
}

/** Checkpoints of one session. Throws the server's message if it refuses. */
export interface CheckpointApi {
  list(): Promise<CheckpointList>;
  diff(turn: string, path: string): Promise<TurnDiff>;
  preview(wish: RevertWish): Promise<RevertPreview>;
  /** The same command id twice is done once. */
  revert(wish: RevertWish, commandId: string): Promise<RevertDone>;
  enable(): Promise<void>;
}

export function createCheckpointApi(base: string, sessionId: string): CheckpointApi {
  const call = caller(base);
  const at = `api/sessions/${encodeURIComponent(sessionId)}`;
  const send = async (body: object) => RevertAnswer.parse(await call('POST', `${at}/revert`, body));
  return {
    list: async () => CheckpointList.parse(await call('GET', `${at}/checkpoints`)),
    diff: async (turn, path) => TurnDiff.parse(await call('GET', `${at}/checkpoints/diff?${new URLSearchParams({ turn, path })}`)),
    preview: async (wish) => {
      const answer = await send({ ...wish, dryRun: true });
      if (!answer.dryRun) throw new Error('The server restored files instead of listing them.');
      return answer;
    },
    revert: async (wish, commandId) => {
      const answer = await send({ ...wish, commandId });
      if (answer.dryRun) throw new Error('The server only listed the files.');
      return answer;
    },
    enable: async () => void (await call('POST', `${at}/checkpoints/enable`, {})),
  };
}
