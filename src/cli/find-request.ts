import { PermissionList, type WaitingPermission } from '../protocol/http.ts';
import type { Api } from './api.ts';
import { UsageProblem } from './command.ts';

/** The request that an id, or the unique beginning of one, names; nothing when it does not wait. */
export async function findRequest(api: Api, id: string): Promise<WaitingPermission | undefined> {
  const { permissions } = await api.ask(PermissionList, '/api/permissions');
  const exact = permissions.find(({ requestId }) => requestId === id);
  if (exact !== undefined) return exact;
  const fitting = permissions.filter(({ requestId }) => requestId.startsWith(id));
  if (fitting.length > 1) throw new UsageProblem(`"${id}" could be ${fitting.map(({ requestId }) => requestId).join(' or ')}: write more of it`);
  return fitting[0];
}
