import { decideWorkspace, emptyWorkspace, evolveWorkspace, type WorkspaceState } from '../../../src/domain/policy/workspace.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Actor } from '../../../src/protocol/actor.ts';
import { isRefusal, type Receipt, type Refusal, type WorkspaceCommand } from '../../../src/protocol/command.ts';
import { type Event, WORKSPACE } from '../../../src/protocol/event.ts';
import type { CommandId, RequestId } from '../../../src/protocol/ids.ts';
import type { RuleTest } from '../../../src/protocol/rule.ts';

/** Everything outside sessions, over plain arrays: rules are stored and revoked, but decide nothing. */
export function createInMemoryWorkspace(
  isWaiting: (requestId: RequestId) => boolean,
): Pick<Engine, 'workspace' | 'rules' | 'resetPreferences' | 'tryRule' | 'proposals'> {
  const receipts = new Map<CommandId, { readonly content: string; readonly receipt: Receipt }>();
  let state: WorkspaceState = emptyWorkspace;
  const store = (command: WorkspaceCommand, actor: Actor, content: string): Receipt | Refusal => {
    const at = new Date().toISOString();
    const bodies = decideWorkspace(state, command, { at, actor });
    if (isRefusal(bodies)) return bodies;
    const receipt = { commandId: command.commandId, sessionId: WORKSPACE, seq: state.seq + 1 };
    state = bodies.map((body, index): Event => ({ ...body, seq: receipt.seq + index, at })).reduce(evolveWorkspace, state);
    receipts.set(command.commandId, { content, receipt });
    return receipt;
  };
  return {
    workspace: async (command, actor) => {
      const { commandId, ...rest } = command;
      const content = JSON.stringify(rest);
      const known = receipts.get(commandId);
      if (known === undefined) return store(command, actor, content);
      return known.content === content ? known.receipt : { refused: 'conflict', message: `Command ${commandId} was used for something else` };
    },
    rules: () => state.rules.map((rule) => ({ ...rule, uses: 0 })),
    resetPreferences: () => state.atReset,
    tryRule: async () => NO_HISTORY,
    proposals: (requestId) =>
      isWaiting(requestId)
        ? { proposals: [{ pattern: { tool: 'Write' }, words: 'Write' }] }
        : { refused: 'not-found', message: `Nothing waits under ${requestId}` },
  };
}

const NO_HISTORY: RuleTest = { calls: 0, matched: 0, asked: 0, matchedAsked: 0, examples: [], notUnderstood: 0 };
