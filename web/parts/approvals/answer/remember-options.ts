import { subjectOf } from '../../../../src/domain/permission/request-text.ts';
import type { Role } from '../../../../src/protocol/actor.ts';
import type { ProposalList } from '../../../../src/protocol/http.ts';
import type { Remember } from '../../../../src/protocol/rule.ts';
import type { Request } from '../request/request.ts';
import { RememberScope } from './answer-draft.ts';
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
export function rememberOptions(request: Request, { proposals, cannot, guarded }: ProposalList): readonly RememberOption[] {
  const exact: RememberOption = { key: 'exact', text: exactText(request), isAgents: false, remember: {} };
  const ours = proposals.map(
    ({ pattern, words, gives }, at): RememberOption => ({
      key: `rule ${at}`,
      text: words,
      isAgents: false,
      remember: { rule: pattern },
      ...(gives !== undefined && { broader: gives }),
    }),
  );
  const theirs = (guarded ? [] : (request.suggestions ?? [])).map((suggestion, at): RememberOption => {
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

/** Why "Always" is not possible; undefined if it is, or not known yet. */
export function whyNeverRemembered(request: Request, found: ProposalList | undefined): string | undefined {
  return found !== undefined && rememberOptions(request, found).length === 0 ? (found.cannot ?? 'This can’t be made a rule.') : undefined;
}

/** A rule that the agent saves itself applies to the session, or as far as the agent suggests. */
export const scopesOf = ({ reach }: RememberOption): readonly Remember['scope'][] =>
  RememberScope.options.filter((scope) => reach === undefined || scope === 'session' || scope === reach);

/** The scope that the "Always" button names and its form starts with: the project, if the rule can apply there and this person may create it. */
export function firstScope(option: RememberOption, role: Role | undefined): Remember['scope'] {
  return scopesOf(option).includes('project') && whyScopeRefused('project', role) === undefined ? 'project' : 'session';
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
