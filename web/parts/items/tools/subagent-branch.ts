import type { Transcript } from '../../../../src/domain/transcript/transcript.ts';

/** The fold key that remembers whether a subagent's branch is open. */
export const branchFoldKey = (toolUseId: string): string => `branch:${toolUseId}`;

/** The number of calls a subagent has made, including its own subagents' calls. */
export function branchToolCount(transcript: Transcript | undefined, toolUseId: string): number {
  const keys = transcript?.children.get(toolUseId) ?? [];
  return keys.reduce((sum, key) => {
    const item = transcript?.items.get(key);
    return item?.kind === 'tool' ? sum + 1 + branchToolCount(transcript, item.toolUseId ?? '') : sum;
  }, 0);
}
