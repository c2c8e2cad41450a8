import { subjectOf } from '../../../../src/domain/permission/wants.ts';
import type { Role } from '../../../../src/protocol/actor.ts';
import type { ProposalList } from '../../../../src/protocol/http.ts';
import type { Remember, RulePattern } from '../../../../src/protocol/rule.ts';
import type { Request } from '../request/request.ts';
import { suggestionWords } from './suggestion-words.ts';

/** One way to remember an allow. */
export interface RememberOption {
  readonly key: string;
  readonly words: string;
  /** The agent keeps it itself rather than this server. */
  readonly isAgents: boolean;
  /** What else it would allow, in words. */
  readonly reachesFar?: string;
  readonly remember: Omit<Remember, 'scope'>;
  /** Unset: it may be kept as far as a person wishes. */
  readonly reach?: Remember['scope'];
}

/** Rules of ours from the narrowest on, then what the agent itself suggests. Without an answer of the server, the request itself. */
export function rememberOptions(request: Request, { proposals, cannot }: ProposalList): readonly RememberOption[] {
  const exact: RememberOption = { key: 'exact', words: exactWords(request), isAgents: false, remember: {} };
  const ours = proposals.map(
    ({ pattern, words }, at): RememberOption => ({ key: `rule ${at}`, words, isAgents: false, remember: { rule: pattern }, ...farOf(pattern) }),
  );
  const theirs = (request.suggestions ?? []).map((suggestion, at): RememberOption => {
    const { words, reach } = suggestionWords(suggestion);
    return { key: `suggestion ${at}`, words, isAgents: true, remember: { suggestions: [at] }, reach };
  });
  const known = ours.length > 0 || cannot !== undefined ? ours : [exact];
  return [...known, ...theirs];
}

/** What is kept for more than one session is a rule, and rules are the owner's; said before it is tried. */
export function whyNotKept(scope: Remember['scope'], role: Role | undefined): string | undefined {
  if (scope === 'session' || role === undefined || role === 'owner') return undefined;
  return `needs the role owner; yours is ${role}`;
}

function farOf({ tool, command, path, host }: RulePattern): Pick<RememberOption, 'reachesFar'> {
  const pattern = command ?? path ?? host;
  if (pattern === undefined) return { reachesFar: 'every call of it, whatever its arguments' };
  return pattern.includes('*') || tool.endsWith('*') ? { reachesFar: 'allows more than this one' } : {};
}

/** What the narrowest rule says. */
function exactWords(request: Request): string {
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
