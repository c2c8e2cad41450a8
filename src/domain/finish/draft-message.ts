import type { SideFile } from '../../protocol/api/finish.ts';
import { countText } from '../amounts.ts';

/** What the agent is asked in a copy of its conversation. */
export const draftQuestion = (diff: string, isCut: boolean): string =>
  [
    'Draft the commit message for the staged changes below: a subject line of at most 72 characters in the imperative, then, if it helps, an empty line and a short body that says why.',
    'Answer with the message only: no quotes, no code fence, no explanation. Use no tools.',
    ...(isCut ? ['The diff is cut at 100 KB.'] : []),
    '',
    diff,
  ].join('\n');

/** An answer without the fence that some agents put around it; undefined if nothing is left. */
export function messageIn(answer: string): string | undefined {
  const inner = /^```[^\n]*\n([\s\S]*?)\n```\s*$/.exec(answer.trim())?.[1] ?? answer;
  const text = inner.trim();
  return text === '' ? undefined : text;
}

const VERBS = { added: 'Add', untracked: 'Add', modified: 'Update', deleted: 'Delete', renamed: 'Rename', conflict: 'Update' } as const;
const LISTED = 20;

/** A message from what is known without asking anybody: the changed files and the first prompt. */
export function messageFromPaths(files: readonly SideFile[], firstPrompt: string): string {
  const [first] = files;
  const states = new Set(files.map(({ state }) => state));
  const verb = first !== undefined && states.size === 1 ? VERBS[first.state] : 'Update';
  const what = files.length === 1 && first !== undefined ? first.path : countText(files.length, 'file');
  const subject = `${verb} ${what}`.slice(0, 72);
  if (files.length <= 1) return [subject, ...(firstPrompt === '' ? [] : ['', firstPrompt])].join('\n');
  const list = files.slice(0, LISTED).map(({ path, state }) => `- ${path}${state === 'modified' ? '' : ` (${state === 'untracked' ? 'added' : state})`}`);
  const rest = files.length > LISTED ? [`- and ${countText(files.length - LISTED, 'more file')}`] : [];
  return [subject, ...(firstPrompt === '' ? [] : ['', firstPrompt]), '', ...list, ...rest].join('\n');
}
