import type { PermissionMode } from '../../protocol/session.ts';
import type { State } from './state.ts';

/** The combinations of policies that match one of our modes. */
const POLICIES = {
  // Asks before every edit, and before every command that isn't known to be harmless.
  default: { approvalPolicy: 'untrusted', sandbox: 'workspace-write' },
  // Edits and runs anything inside its sandbox, and asks before it leaves the sandbox.
  acceptEdits: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  // Anything the sandbox doesn't allow fails.
  dontAsk: { approvalPolicy: 'never', sandbox: 'workspace-write' },
  bypassPermissions: { approvalPolicy: 'never', sandbox: 'danger-full-access' },
} as const satisfies Partial<Record<PermissionMode, { approvalPolicy: string; sandbox: string }>>;

export type Mode = keyof typeof POLICIES;
export const MODES: readonly Mode[] = ['default', 'acceptEdits', 'dontAsk', 'bypassPermissions'];

export const isKnown = (mode: string | undefined): mode is Mode => MODES.some((known) => known === mode);

/** Sent with every thread, so that the person's own settings don't silently decide it. */
export const policyOf = (mode: string | undefined) => POLICIES[isKnown(mode) ? mode : 'default'];

const SANDBOX_TYPES: Readonly<Record<string, string>> = { workspaceWrite: 'workspace-write', dangerFullAccess: 'danger-full-access', readOnly: 'read-only' };

/** Our name for Codex's policies; without one, Codex's own words. */
export function modeOf(approvalPolicy: unknown, sandboxType: string | undefined): string {
  const policy = typeof approvalPolicy === 'string' ? approvalPolicy : 'granular';
  const sandbox = SANDBOX_TYPES[sandboxType ?? ''] ?? sandboxType ?? 'unknown';
  return MODES.find((mode) => POLICIES[mode].approvalPolicy === policy && POLICIES[mode].sandbox === sandbox) ?? `${policy}, ${sandbox}`;
}

/** The same for a turn, which needs the full sandbox; roots and network stay as they were when the thread was opened. */
export function turnPolicyOf(mode: Mode, { sandbox: opened }: State) {
  const { approvalPolicy, sandbox } = POLICIES[mode];
  if (sandbox === 'danger-full-access') return { approvalPolicy, sandboxPolicy: { type: 'dangerFullAccess' } };
  const writableRoots = opened?.type === 'workspaceWrite' ? (opened.writableRoots ?? []) : [];
  const networkAccess = opened?.type === 'workspaceWrite' && opened.networkAccess === true;
  return { approvalPolicy, sandboxPolicy: { type: 'workspaceWrite', writableRoots, networkAccess, excludeTmpdirEnvVar: false, excludeSlashTmp: false } };
}
