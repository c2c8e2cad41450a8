import { subjectOf } from '../../../../src/domain/permission/request-text.ts';
import type { Role } from '../../../../src/protocol/actor.ts';
import type { ProposalList } from '../../../../src/protocol/http.ts';
import type { Remember, RulePattern } from '../../../../src/protocol/rule.ts';
import type { Request } from '../request/request.ts';
import { suggestionText } from './suggestion-text.ts';

/** One rule that an allow can create. */
export interface RememberOption {
  readonly key: string;
  readonly text: string;
  /** The agent saves it, not this server. */
  readonly isAgents: boolean;
  /** What else it would allow. */
  readonly broader?: string;
  readonly remember: Omit<Remember, 'scope'>;
  /** The widest scope; unset for no limit. */
  readonly reach?: Remember['scope'];
}

/** The server's proposals, narrowest first, then the agent's suggestions. Without proposals, the exact request. */
export function rememberOptions(request: Request, { proposals, cannot }: ProposalList): readonly RememberOption[] {
  const exact: RememberOption = { key: 'exact', text: exactText(request), isAgents: false, remember: {} };
  const ours = proposals.map(
    ({ pattern, words }, at): RememberOption => ({ key: `rule ${at}`, text: words, isAgents: false, remember: { rule: pattern }, ...broaderThan(pattern) }),
  );
  const theirs = (request.suggestions ?? []).map((suggestion, at): RememberOption => {
    const { text, reach } = suggestionText(suggestion);
    return { key: `suggestion ${at}`, text, isAgents: true, remember: { suggestions: [at] }, reach };
  });
  const known = ours.length > 0 || cannot !== undefined ? ours : [exact];
  return [...known, ...theirs];
}

/** A rule for more than one session needs the owner; say so before anyone tries. */
export function whyScopeRefused(scope: Remember['scope'], role: Role | undefined): string | undefined {
  if (scope === 'session' || role === undefined || role === 'owner') return undefined;
  return `owners only; you are a ${role}`;
}

function broaderThan({ tool, command, path, host }: RulePattern): Pick<RememberOption, 'broader'> {
  const pattern = command ?? path ?? host;
  if (pattern === undefined) return { broader: 'Every call, whatever its arguments' };
  return pattern.includes('*') || tool.endsWith('*') ? { broader: 'Broader than this request' } : {};
}

/** The narrowest rule. */
function exactText(request: Request): string {
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
      return `${subject.tool} from ${subject.server}, with any arguments`;
    case 'other':
      return `${request.tool}, with any arguments`;
  }
}
