import type { PlanNodeState, PlanState } from '../../protocol/api/plan.ts';

/** What a step tells the steps that need it, at most. */
export const SUMMARY_BYTES = 8 * 1024;

/** The summary as it is passed on: cut, with its size, if it is too long. */
export function shortSummary(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= SUMMARY_BYTES) return text;
  const head = new TextDecoder().decode(bytes.slice(0, SUMMARY_BYTES)).replace(/\uFFFD$/, '');
  return `${head}\n[cut: ${SUMMARY_BYTES} of ${bytes.length} bytes]`;
}

/** What the agent of a step gets: its prompt, then the summary of each step that it needs. Never a transcript. */
export function promptOf({ nodes, head }: PlanState, node: PlanNodeState, fullPrompt: string, hasTools: boolean): string {
  const before = node.attempts.at(-1);
  const needs = node.needs.flatMap((id) => nodes.filter((one) => one.id === id));
  const parts = [
    fullPrompt,
    ...needs.map(handedOver),
    before?.summary === undefined || node.words === undefined ? undefined : `## Your last attempt at this\n\n${before.summary}`,
    node.words === undefined ? undefined : `## What to do differently\n\n${node.words}`,
    `---\nThis is the step “${node.title}” of the plan “${head.title}”. End with a short summary of what you did: the steps after this one get it.`,
    hasTools ? undefined : BY_CURL,
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

/** For agents that take no tools from us: the token in their environment is enough for this step. */
const BY_CURL = `To report a result in other words, or to name a file with it, run:
curl -fsS --retry 10 --retry-all-errors -H "Authorization: Bearer $SIGNALBOX_RUN_TOKEN" -H 'content-type: application/json' -d '{"state":"done","summary":"…"}' "$SIGNALBOX_URL/api/tools/report"`;

function handedOver({ id, title, summary = '', attempts }: PlanNodeState): string {
  const artifact = attempts.at(-1)?.artifact;
  const made = artifact === undefined ? '' : `\n\nIt made: ${artifact}`;
  return `## Result of the step “${title}” (${id})\n\n${summary}${made}`;
}

export const fixText = (output: string): string => `The check of your work failed. Its output:\n\n${output}\n\nFix it, then summarize again what you did.`;

export const rebaseText = (branch: string, conflicts: readonly string[]): string =>
  `Your branch conflicts with ${branch} in ${conflicts.join(', ')}. Run “git merge ${branch}” in your worktree, resolve the conflicts, commit, then summarize again what you did.`;
