import type { PermissionMode } from '../../../../src/protocol/session.ts';

/** The modes in which an agent may go on after its plan: not in planning, and never without any question. */
export const planModes = (modes: readonly PermissionMode[] | undefined): readonly PermissionMode[] =>
  (modes ?? []).filter((mode) => mode !== 'plan' && mode !== 'bypassPermissions');
