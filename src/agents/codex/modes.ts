import type { PermissionMode, Thinking } from '../../protocol/session.ts';
import type { State } from './state.ts';

/** Of all that can be combined, what has a name with us. */
const POLICIES = {
  // Asks before every edit, and before every command that is not known to be harmless.
  default: { approvalPolicy: 'untrusted', sandbox: 'workspace-write' },
  // Edits and runs in its sandbox what it likes, and asks before it leaves that.
  acceptEdits: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  // What the sandbox does not allow fails.
  dontAsk: { approvalPolicy: 'never', sandbox: 'workspace-write' },
  bypassPermissions: { approvalPolicy: 'never', sandbox: 'danger-full-access' },
} as const satisfies Partial<Record<PermissionMode, { approvalPolicy: string; sandbox: string }>>;

export type Mode = keyof typeof POLICIES;
export const MODES: readonly Mode[] = ['default', 'acceptEdits', 'dontAsk', 'bypassPermissions'];

export const isKnown = (mode: string | undefined): mode is Mode => MODES.some((known) => known === mode);

/** Said outright with every thread, so that what stands in a person's own settings does not decide it in silence. */
export const policyOf = (mode: string | undefined) => POLICIES[isKnown(mode) ? mode : 'default'];

const SANDBOX_TYPES: Readonly<Record<string, string>> = { workspaceWrite: 'workspace-write', dangerFullAccess: 'danger-full-access', readOnly: 'read-only' };

/** The name of what Codex says that it does. What has none is told in its own words. */
export function modeOf(approvalPolicy: unknown, sandboxType: string | undefined): string {
  const policy = typeof approvalPolicy === 'string' ? approvalPolicy : 'granular';
  const sandbox = SANDBOX_TYPES[sandboxType ?? ''] ?? sandboxType ?? 'unknown';
  return MODES.find((mode) => POLICIES[mode].approvalPolicy === policy && POLICIES[mode].sandbox === sandbox) ?? `${policy}, ${sandbox}`;
}

/** The same for a turn, which wants the sandbox in full; its roots and its network stay as they were when the thread was opened. */
export function turnPolicyOf(mode: Mode, { sandbox: opened }: State) {
  const { approvalPolicy, sandbox } = POLICIES[mode];
  if (sandbox === 'danger-full-access') return { approvalPolicy, sandboxPolicy: { type: 'dangerFullAccess' } };
  const writableRoots = opened?.type === 'workspaceWrite' ? (opened.writableRoots ?? []) : [];
  const networkAccess = opened?.type === 'workspaceWrite' && opened.networkAccess === true;
  return { approvalPolicy, sandboxPolicy: { type: 'workspaceWrite', writableRoots, networkAccess, excludeTmpdirEnvVar: false, excludeSlashTmp: false } };
}

/** Codex has more levels than we have words for. */
const THINKING: Readonly<Record<string, Thinking | undefined>> = {
  none: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
  max: 'max',
  ultra: 'max',
};

export const thinkingOf = (effort: string): Thinking | undefined => THINKING[effort];

/** `max` is known to the newest models only. */
export const effortOf = (thinking: string): string => (thinking === 'max' ? 'xhigh' : thinking);
