import * as z from 'zod/mini';
import { MachineList } from '../../../protocol/api/machines.ts';
import type { Refusal } from '../../../protocol/command.ts';
import { type Route, route } from '../route.ts';

const OfMachine = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
const Forgotten = z.object({ id: z.string() });

const noSuchMachine = (id: string): Refusal => ({ refused: 'not-found', message: `There is no machine ${id}.` });

export const MACHINE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/nodes',
    role: 'viewer',
    summary: 'The machines of the cluster: which can be reached, or since when not',
    answer: { status: 200, schema: MachineList },
    handle: ({ remote }) => ({ status: 200, body: remote?.machines() ?? { cluster: 'off', nodes: [] } }),
  }),
  route({
    method: 'DELETE',
    path: '/api/nodes/:id',
    role: 'owner',
    isAudited: true,
    summary: 'Forget a machine that will not return, with what was known of its sessions',
    params: OfMachine,
    answer: { status: 200, schema: Forgotten },
    refusals: [404, 409, 503],
    handle: async ({ remote }, { params: { id } }) => {
      const known = remote?.machines().nodes.find((one) => one.id === id);
      if (remote === undefined || known === undefined) return noSuchMachine(id);
      if (known.state === 'here' || known.state === 'reachable') return { refused: 'conflict', message: 'This machine is running. Stop it first.' };
      if (remote.machines().cluster !== 'joined')
        return { refused: 'owner-away', message: 'Redis can’t be reached now, so the machine can’t be removed from it.' };
      await remote.forget(id);
      return { status: 200, body: { id } };
    },
  }),
];
