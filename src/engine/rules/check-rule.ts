import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { checkPattern } from '../../domain/policy/pattern.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { RuleBody, RuleScope } from '../../protocol/rule.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { realPath } from './real-path.ts';

/** Checks that a rule's pattern is understood and that its agent, session or folder exists. Returns it with the folder's real path. */
export function checkedRule(context: EngineContext, body: RuleBody): RuleBody | Refusal {
  const problem = checkPattern(body);
  if (problem !== undefined) return { refused: 'bad-request', message: problem };
  if (body.agent !== undefined && !context.deps.adapters.has(body.agent)) return { refused: 'bad-request', message: `There is no agent "${body.agent}".` };
  const scope = checkedScope(context, body.scope);
  return isRefusal(scope) ? scope : { ...body, scope };
}

/** Checks that the session or folder exists. */
export function checkedScope(context: EngineContext, scope: RuleScope): RuleScope | Refusal {
  switch (scope.kind) {
    case 'everywhere':
      return scope;
    case 'session': {
      const state = context.sessions.get(scope.sessionId)?.state;
      const exists = state !== undefined && state.born !== null && !state.deleted;
      return exists ? scope : { refused: 'not-found', message: `There is no session ${scope.sessionId}.` };
    }
    case 'project': {
      if (!isAbsolute(scope.folder)) return { refused: 'bad-request', message: `"${scope.folder}" is not an absolute path. Start it with "/".` };
      const folder = realPath(scope.folder, '/');
      return isFolder(folder) ? { kind: 'project', folder } : { refused: 'bad-request', message: `There is no folder ${scope.folder}.` };
    }
  }
}

/** No file name can contain a zero byte, and `stat` throws on one. */
const isFolder = (path: string): boolean => !path.includes('\0') && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
