import type { StoreContext } from '../state/store-context.ts';

export interface Completions {
  /** Loads the agent's commands; without an answer none are offered. */
  loadCommands(sessionId: string): Promise<void>;
  /** Finds files in the session's folder while the user types. Only the latest query counts. */
  findFiles(sessionId: string, find: string): void;
}

export function completions(context: StoreContext): Completions {
  let wanted: { readonly sessionId: string; readonly find: string } | undefined;
  let isAsking = false;
  /** One request at a time: the latest text is next, what was typed in between is skipped. */
  const ask = async (): Promise<void> => {
    while (wanted !== undefined) {
      const { sessionId, find } = wanted;
      wanted = undefined;
      const names = await context.options.api.fileNames(sessionId, find).catch(() => undefined);
      context.store.setState({ found: names === undefined ? undefined : { sessionId, find, ...names } });
    }
  };
  return {
    loadCommands: (sessionId) => loadCommands(context, sessionId),
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

async function loadCommands({ store, options }: StoreContext, sessionId: string): Promise<void> {
  const commands = await options.api.commands(sessionId).catch(() => undefined);
  if (commands !== undefined) store.setState((state) => ({ commands: new Map(state.commands).set(sessionId, commands) }));
}
