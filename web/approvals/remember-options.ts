import type { Remember } from '../../src/protocol/rule.ts';
import type { Proposal } from '../client/proposals.ts';
import { type Request, subjectOf } from './request.ts';
import { suggestionWords } from './suggestion-words.ts';

/** One way to remember an allow. */
export interface RememberOption {
  readonly key: string;
  readonly words: string;
  /** The agent keeps it itself rather than this server. */
  readonly isAgents: boolean;
  readonly wide: boolean;
  readonly remember: Omit<Remember, 'scope'>;
  /** Unset: it may be kept as far as a person wishes. */
  readonly reach?: Remember['scope'];
}

/** Rules of ours from the narrowest on, then what the agent itself suggests. Without proposals, the request itself. */
export function rememberOptions(request: Request, proposals: readonly Proposal[]): readonly RememberOption[] {
  const exact: RememberOption = { key: 'exact', words: exactWords(request), isAgents: false, wide: false, remember: {} };
  const ours = proposals.map(
    ({ pattern, words, wide = false }, at): RememberOption => ({ key: `rule ${at}`, words, isAgents: false, wide, remember: { rule: pattern } }),
  );
  const theirs = (request.suggestions ?? []).map((suggestion, at): RememberOption => {
    const { words, reach } = suggestionWords(suggestion);
    return { key: `suggestion ${at}`, words, isAgents: true, wide: false, remember: { suggestions: [at] }, reach };
  });
  return [...(ours.length > 0 ? ours : [exact]), ...theirs];
}

/** What the narrowest rule says. */
export function exactWords(request: Request): string {
  const subject = subjectOf(request);
  switch (subject.kind) {
    case 'command':
      return 'Exactly this command';
    case 'edit':
      return subject.paths.length > 1 ? 'Changing exactly these files' : 'Changing exactly this file';
    case 'read':
      return 'Reading exactly this';
    case 'web':
      return 'This host';
    case 'mcp':
      return `${subject.tool} of ${subject.server}, with any arguments`;
    case 'other':
      return `${request.tool}, with any arguments`;
  }
}
