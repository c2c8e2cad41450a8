import type { Transcript } from '../../../../src/domain/transcript/transcript.ts';

/** How many calls a subagent has made, those of its own subagents included. */
export function branchTools(transcript: Transcript | undefined, toolUseId: string): number {
  const keys = transcript?.children.get(toolUseId) ?? [];
  return keys.reduce((sum, key) => {
    const item = transcript?.items.get(key);
    return item?.kind === 'tool' ? sum + 1 + branchTools(transcript, item.toolUseId ?? '') : sum;
  }, 0);
}
