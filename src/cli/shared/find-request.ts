import { PermissionList, type WaitingPermission } from '../../protocol/http.ts';
import type { Api } from './api.ts';
import { UsageProblem } from './command.ts';

/** Finds an open request by its id or a unique prefix of it. */
export async function findRequest(api: Api, id: string): Promise<WaitingPermission | undefined> {
  const { permissions } = await api.ask(PermissionList, '/api/permissions');
  const exact = permissions.find(({ requestId }) => requestId === id);
  if (exact !== undefined) return exact;
  const matching = permissions.filter(({ requestId }) => requestId.startsWith(id));
  if (matching.length > 1) throw new UsageProblem(`"${id}" matches ${matching.map(({ requestId }) => requestId).join(' and ')}; type more of it`);
  return matching[0];
}
