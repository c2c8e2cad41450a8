import { isRefusal } from '../../../protocol/command.ts';
import { PersonState } from '../../../protocol/http.ts';
import { type Route, route } from '../route.ts';

export const STATE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/state',
    role: 'viewer',
    summary: 'The caller’s own state: recent, layout, drafts',
    answer: { status: 200, schema: PersonState },
    handle: async ({ states }, { actor }) => ({ status: 200, body: await states.read(actor.id) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/state',
    role: 'viewer',
    summary: 'Change the caller’s state with a JSON merge patch; null removes a field. Returns the complete state, durable',
    body: PersonState,
    answer: { status: 200, schema: PersonState },
    refusals: [413],
    handle: async ({ states }, { actor, body }) => {
      const changed = await states.change(actor.id, body);
      return isRefusal(changed) ? changed : { status: 200, body: changed.state };
    },
  }),
];
