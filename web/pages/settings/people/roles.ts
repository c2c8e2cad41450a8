import type { Role } from '../../../../src/protocol/actor.ts';

/** What each role can do. */
export const ROLES: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: can watch',
  driver: 'Driver: can also send, steer and approve',
  owner: 'Owner: can also manage rules and tokens',
};
