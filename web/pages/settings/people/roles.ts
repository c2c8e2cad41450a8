import type { Role } from '../../../../src/protocol/actor.ts';

/** What each role may do, in words. */
export const ROLES: Readonly<Record<Role, string>> = {
  viewer: 'viewer: watches',
  driver: 'driver: also sends, steers and approves',
  owner: 'owner: also makes rules and tokens',
};
