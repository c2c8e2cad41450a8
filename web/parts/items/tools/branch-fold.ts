/** Under which it is remembered that the work of a subagent is open. */
export const branchFold = (toolUseId: string): string => `branch:${toolUseId}`;
