import type { SessionId } from '../../protocol/ids.ts';
import type { RuleScope } from '../../protocol/rule.ts';
import { isWithin } from './shell/paths.ts';

/** Whether turns that a usage limit cut off continue by themselves when it resets, for a session, a folder or everywhere. */
export interface ResetPreference {
  readonly scope: RuleScope;
  readonly choice: 'on' | 'off';
}

/** The narrowest preference decides: the session's own, then the innermost folder's, then the one for everything. */
export function preferenceFor(preferences: readonly ResetPreference[], session: { readonly id: SessionId; readonly cwd: string }): ResetPreference | undefined {
  const matching = preferences.filter(({ scope }) => covers(scope, session));
  return matching.toSorted((a, b) => narrowness(b.scope) - narrowness(a.scope))[0];
}

function covers(scope: RuleScope, { id, cwd }: { readonly id: SessionId; readonly cwd: string }): boolean {
  if (scope.kind === 'session') return scope.sessionId === id;
  return scope.kind === 'everywhere' || isWithin(cwd, scope.folder);
}

const narrowness = (scope: RuleScope): number => (scope.kind === 'session' ? Number.POSITIVE_INFINITY : scope.kind === 'project' ? scope.folder.length : -1);
