import type { FileNames } from '../../../src/protocol/http.ts';
import type { Desk } from '../cockpit.ts';

export interface Completing {
  /** Asks which commands the agent takes; without an answer none are proposed. */
  loadCommands(sessionId: string): Promise<void>;
  /** Looks for files of the session's folder while somebody types. Only the latest question counts. */
  findFiles(sessionId: string, find: string): void;
}

/** What was found, and for which words. */
export interface FoundFiles extends FileNames {
  readonly sessionId: string;
  readonly find: string;
}

export function completing(desk: Desk): Completing {
  let wanted: { readonly sessionId: string; readonly find: string } | undefined;
  let isAsking = false;
  /** One question at a time: what was typed meanwhile is asked next, what came between never. */
  const ask = async (): Promise<void> => {
    while (wanted !== undefined) {
      const { sessionId, find } = wanted;
      wanted = undefined;
      const names = await desk.options.api.fileNames(sessionId, find).catch(() => undefined);
      desk.store.setState({ found: names === undefined ? undefined : { sessionId, find, ...names } });
    }
  };
  return {
    loadCommands: (sessionId) => loadCommands(desk, sessionId),
    findFiles(sessionId, find) {
      wanted = { sessionId, find };
      if (isAsking) return;
      isAsking = true;
      void ask().finally(() => {
        isAsking = false;
      });
    },
  };
}

async function loadCommands({ store, options }: Desk, sessionId: string): Promise<void> {
  const commands = await options.api.commands(sessionId).catch(() => undefined);
  if (commands !== undefined) store.setState((state) => ({ commands: new Map(state.commands).set(sessionId, commands) }));
}
