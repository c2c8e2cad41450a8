import type { RuleBody, RulePattern } from '../../protocol/rule.ts';
import { type CommandPattern, commandPattern, neverAllows } from './command-pattern.ts';
import { type HostPattern, hostPattern } from './host-pattern.ts';
import { type PathPattern, pathPattern } from './path-pattern.ts';
import { invisibleIn } from './shell/invisible.ts';

/** A rule's parsed pattern. */
export type Pattern =
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | { readonly kind: 'path'; readonly pattern: PathPattern }
  | { readonly kind: 'host'; readonly pattern: HostPattern }
  /** Every call of the tool. */
  | { readonly kind: 'tool' };

/** Why a rule cannot be created; undefined if it can. */
export function checkPattern(body: RuleBody): string | undefined {
  const { tool, behavior, scope } = body;
  const pattern = readPattern(body);
  if (typeof pattern === 'string') return pattern;
  if (scope.kind === 'project' && !scope.folder.startsWith('/')) return 'The folder of a rule must be an absolute path.';
  if (behavior === 'deny') return undefined;
  if (tool === '*' && pattern.kind === 'tool') return 'A rule cannot allow everything. Name a tool or a pattern.';
  return pattern.kind === 'command' ? neverAllows(pattern.pattern) : undefined;
}

/** A string says what is wrong with the pattern. */
export function readPattern({ tool, command, path, host }: RulePattern): Pattern | string {
  const given = [command, path, host].filter((text) => text !== undefined);
  if (given.length > 1) return 'A rule has one pattern: a command, a path or a host.';
  if (tool.slice(0, -1).includes('*')) return 'Name a tool in full, or by its first letters and one * at the end.';
  const invisible = [tool, ...given].map(invisibleIn).find((why) => why !== undefined);
  if (invisible !== undefined) return `The pattern cannot be used: ${invisible}.`;
  if (command !== undefined) return read('command', commandPattern(command));
  if (path !== undefined) return read('path', pathPattern(path));
  return host === undefined ? { kind: 'tool' } : read('host', hostPattern(host));
}

function read<K extends string, P>(kind: K, pattern: P | string): { kind: K; pattern: P } | string {
  return typeof pattern === 'string' ? pattern : { kind, pattern };
}
