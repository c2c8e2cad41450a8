import * as z from 'zod/mini';
import { MachineList } from '../../../protocol/api/machines.ts';
import { LinkBody, SignedLink } from '../../../protocol/api/sign-in.ts';
import { isRefusal, type Refusal } from '../../../protocol/command.ts';
import { About, AgentList, BackupAnswer, FolderList, Health, MachineNow, OnMachine } from '../../../protocol/http.ts';
import { Sha256 } from '../../../protocol/ids.ts';
import { SANDBOX_CSP } from '../../auth/headers.ts';
import { contentTypeOf } from '../../shared/blob-type.ts';
import { allAgents } from '../all-agents.ts';
import { type Route, route } from '../route.ts';
import { noMachine } from './session.ts';

const OfMachine = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
const Forgotten = z.object({ id: z.string() });

const noSuchMachine = (id: string): Refusal => ({ refused: 'not-found', message: `There is no machine ${id}.` });

export const SERVICE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/healthz',
    role: 'public',
    summary: 'Alive',
    answer: { status: 200, schema: Health },
    handle: ({ version }) => ({ status: 200, body: { status: 'ok', version } }),
  }),
  route({
    method: 'GET',
    path: '/metrics',
    role: 'viewer',
    summary: 'Metrics in the Prometheus text format',
    answer: { status: 200, contentType: 'text/plain' },
    handle: ({ metrics }) => ({ status: 200, body: metrics(), headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } }),
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    role: 'viewer',
    summary: 'This description, generated from the schemas that validate requests',
    answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
    handle: ({ openapi }) => ({ status: 200, body: openapi() }),
  }),
  route({
    method: 'GET',
    path: '/api/agents',
    role: 'viewer',
    summary: 'Agents this server can run, and why others are unavailable; `refresh=true` checks every program’s version again',
    query: z.object({ refresh: z.optional(z.enum(['true', 'false'])), node: OnMachine }),
    answer: { status: 200, schema: AgentList },
    refusals: [404],
    handle: async ({ engine, sessionIndex }, { query }) =>
      noMachine(query.node) ?? {
        status: 200,
        body: { agents: await allAgents(await engine.agents(query.refresh === 'true' ? 'rescan' : undefined), sessionIndex) },
      },
  }),
  route({
    method: 'GET',
    path: '/api/machine',
    role: 'viewer',
    summary: 'How many agents are running, how much memory they use, and how much disk space is free',
    query: z.object({ node: OnMachine }),
    answer: { status: 200, schema: MachineNow },
    refusals: [404],
    handle: ({ engine }, { query }) => noMachine(query.node) ?? { status: 200, body: engine.machine() },
  }),
  route({
    method: 'GET',
    path: '/api/about',
    role: 'viewer',
    summary: 'The server: its version, Node version, machine and data folder',
    answer: { status: 200, schema: About },
    handle: ({ about }) => ({ status: 200, body: about }),
  }),
  route({
    method: 'POST',
    path: '/api/backup',
    role: 'owner',
    summary: 'Write a consistent copy of the journal to the data folder',
    answer: { status: 200, schema: BackupAnswer },
    handle: async ({ engine }) => ({ status: 200, body: { path: await engine.backup() } }),
  }),
  route({
    method: 'GET',
    path: '/api/folders',
    role: 'driver',
    summary: 'Folders in which sessions may run, to choose from',
    query: z.object({ path: z.optional(z.string()), node: OnMachine }),
    answer: { status: 200, schema: FolderList },
    refusals: [400, 403, 404],
    handle: async ({ engine }, { query }) => {
      const elsewhere = noMachine(query.node);
      if (elsewhere !== undefined) return elsewhere;
      const list = await engine.folders(query.path);
      return isRefusal(list) ? list : { status: 200, body: list };
    },
  }),
  route({
    method: 'GET',
    path: '/api/blobs/:sha256',
    role: 'viewer',
    summary: 'Content that was too large for an event, complete',
    params: z.object({ sha256: Sha256 }),
    answer: { status: 200, contentType: 'application/octet-stream' },
    refusals: [404],
    handle: async ({ engine, sessionIndex }, { params }) => {
      const bytes = engine.blob(params.sha256) ?? (await sessionIndex.blob(params.sha256));
      if (bytes === undefined) return { refused: 'not-found', message: `There is no blob ${params.sha256}` };
      return { status: 200, body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), headers: blobHeaders(bytes, params.sha256) };
    },
  }),
  route({
    method: 'POST',
    path: '/api/links',
    role: 'viewer',
    summary: 'Create a signed link for a download, which can’t carry a header: valid for GET on one API address with its query, for 60 seconds, as the caller',
    body: LinkBody,
    answer: { status: 201, schema: SignedLink },
    handle: ({ links }, { body: { path }, actor, signIn }) => {
      const link = links.sign(path, { token: actor.name, signIn });
      return link === undefined ? { refused: 'bad-request', message: 'Only addresses under /api/ can be signed.' } : { status: 201, body: link };
    },
  }),
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

/** A blob is whatever an agent printed: it can be viewed and saved, but never runs. */
const blobHeaders = (bytes: Uint8Array, sha256: string): Record<string, string> => ({
  'content-type': contentTypeOf(bytes),
  'content-security-policy': SANDBOX_CSP,
  'content-disposition': `attachment; filename="${sha256.slice(0, 12)}"`,
  'cache-control': 'private, max-age=31536000, immutable',
  etag: `"${sha256}"`,
});
