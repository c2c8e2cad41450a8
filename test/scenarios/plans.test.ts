import { afterAll, beforeAll, expect, test } from 'vitest';
import { evolvePlan } from '../../src/domain/plan/evolve.ts';
import type { PlanFile, PlanQueue, PlanState } from '../../src/protocol/api/plan.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { planStream } from '../../src/protocol/plan.ts';
import { api, connectClient } from '../support/client.ts';
import { PLAN } from '../support/engine/plans.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: '50', DEMO_AGENT_PACE_MS: '0' } });
});
afterAll(() => server.close());

const step = (id: string, needs: readonly string[] = [], prompt = 'think') => ({ id, title: `Do ${id}`, prompt, needs });
const call = <T>(method: string, path: string, body?: unknown, token = server.token) => api<T>({ ...server, token }, method, path, body);
const create = (body: object) => call<PlanState>('POST', '/api/plans', { title: 'Build it', cwd: server.project, defaults: { agent: 'demo' }, ...body });
const plan = async (id: string) => (await call<{ plan: PlanState }>('GET', `/api/plans/${id}`)).body.plan;
const until = (id: string, status: string) => waitFor(`the plan is ${status}`, async () => ((await plan(id)).status === status ? plan(id) : undefined));

test('[R619] [R620] a bad plan or change is refused by name, and the revision stays', async () => {
  const named = (body: object) => ({ error: expect.objectContaining(body) });
  const cases: readonly (readonly [number, object])[] = [
    [422, { nodes: [step('a', ['b']), step('b', ['a'])] }],
    [422, { nodes: [step('a', ['x'])] }],
    [422, { nodes: [step('a'), step('a')] }],
    [422, { nodes: [step('a', [], '')] }],
    [422, { nodes: [step('a', [], 'x'.repeat(LIMITS.messageTextBytes + 1))] }],
  ];
  for (const [status, body] of cases) expect(await create(body)).toMatchObject({ status, body: named({ details: { node: 'a' } }) });
  const many = Array.from({ length: 201 }, (_, at) => step(`s${at}`));
  expect((await create({ nodes: many })).status).toBe(422);
  expect((await create({ id: 'x'.repeat(41), nodes: [] })).status).toBe(400);
  expect((await create({ cwd: '/etc', nodes: [] })).status).toBe(403);
  expect(await create({ loop: true })).toMatchObject({ status: 400, body: named({ message: expect.stringContaining('loop') }) });
  expect((await create({ id: 'kept', nodes: [step('a'), step('b', ['a'])] })).status).toBe(201);
  const ops = [
    { op: 'add', node: step('c') },
    { op: 'rewire', node: 'a', needs: ['b'] },
  ];
  expect(await call('POST', '/api/plans/kept/ops', { base: 1, ops })).toMatchObject({
    status: 422,
    body: named({ details: { node: expect.stringMatching(/^[ab]$/) } }),
  });
  expect(await call('POST', '/api/plans/kept/ops', { base: 1, ops: ops.slice(0, 1), dryRun: true })).toMatchObject({
    status: 200,
    body: { diff: { added: [{ id: 'c' }] }, revision: 1 },
  });
  expect((await plan('kept')).revision).toBe(1);
  expect(await call('POST', '/api/plans/kept/ops', { base: 1, ops: ops.slice(0, 1) })).toMatchObject({ status: 200, body: { revision: 2 } });
  expect(await call('PATCH', '/api/plans/kept', { budget: { usd: 3 } })).toMatchObject({ status: 200, body: { revision: 3, head: { budget: { usd: 3 } } } });
});

test('[R611] a plan runs over HTTP; a page that follows its stream folds the same state; exported and imported it is the same', async () => {
  expect((await create({ id: PLAN, nodes: [step('a'), { ...step('look', ['a'], 'Good?'), kind: 'gate' }, step('b', ['look'])] })).status).toBe(201);
  const page = await connectClient(server);
  page.send({ type: 'subscribe', sessionId: planStream(PLAN) });
  const first = await page.waitFor((frame) => frame.type === 'plan');
  expect((await call('POST', `/api/plans/${PLAN}/start`)).status).toBe(202);
  const { requestId } = await waitFor('the card', async () =>
    (await call<{ permissions: { requestId: string }[] }>('GET', '/api/permissions')).body.permissions.find((card) => card.requestId.startsWith('plan:build')),
  );
  const queue = (await call<PlanQueue>('GET', '/api/plans/queue')).body;
  expect(queue.nodes.filter(({ planId }) => planId === PLAN)).toMatchObject([
    { nodeId: 'look', status: 'waiting', waitsFor: { kind: 'gate', words: 'Good?' } },
  ]);
  expect((await call('POST', `/api/permissions/${requestId}`, { behavior: 'allow', answers: { 'Good?': 'Continue' } })).status).toBe(200);
  const done = await until(PLAN, 'done');
  await page.waitFor((frame) => frame.type === 'event' && frame.sessionId === planStream(PLAN) && frame.seq === done.seq);
  const events = page.frames.flatMap((frame) => (frame.type === 'event' && frame.sessionId === planStream(PLAN) ? [frame.event] : []));
  expect(first.type === 'plan' && events.reduce(evolvePlan, first.plan)).toEqual(done);
  page.close();
  const file = (await call<PlanFile>('GET', `/api/plans/${PLAN}/export`)).body;
  expect(await call('POST', '/api/plans/import', { id: 'copy', cwd: server.project, file })).toMatchObject({ status: 201, body: { status: 'draft' } });
  expect((await call<PlanFile>('GET', '/api/plans/copy/export')).body).toEqual(file);
  const lists = (await call<{ plans: { id: string }[] }>('GET', '/api/plans?status=done&agent=demo')).body.plans.map(({ id }) => id);
  expect(lists).toEqual([PLAN]);
  expect((await call('DELETE', `/api/plans/${PLAN}`)).status).toBe(202);
  expect((await call('GET', `/api/plans/${PLAN}`)).status).toBe(404);
});

test('[R626] viewers only read, drivers don’t delete, and an agent sees and changes only its own plan, with its tools', async () => {
  const token = async (name: string, role: string) => (await call<{ token: string }>('POST', '/api/tokens', { name, role })).body.token;
  const [viewer, driver] = [await token('plan-viewer', 'viewer'), await token('plan-driver', 'driver')];
  await create({ id: 'roles', nodes: [step('a')] });
  await create({ id: 'other', nodes: [step('a')] });
  expect((await call('GET', '/api/plans/roles', undefined, viewer)).status).toBe(200);
  for (const path of ['start', 'nodes/a/skip', 'ops']) expect((await call('POST', `/api/plans/roles/${path}`, {}, viewer)).status).toBe(403);
  expect((await call('DELETE', '/api/plans/roles', undefined, driver)).status).toBe(403);
  expect((await call('POST', '/api/plans/roles/start', undefined, driver)).status).toBe(202);
  await until('roles', 'done');
  const id = 'p_roles_a_1_run1';
  const ask = async (text: string): Promise<string> => {
    const { seq } = (await call<{ seq: number }>('POST', `/api/sessions/${id}/input`, { text })).body;
    return waitFor('the answer', async () => {
      const { events } = (await call<{ events: { type: string; result?: string }[] }>('GET', `/api/sessions/${id}/events?after=${seq}&limit=1000`)).body;
      return events.find(({ type }) => type === 'turn.completed')?.result;
    });
  };
  expect(await ask('tool read_plan {}')).toContain('"id":"roles"');
  expect(await ask('tool read_plan {"planId":"other"}')).toContain('for no other');
  const change = (node: object) => `tool propose_plan_change ${JSON.stringify({ ops: [{ op: 'add', node }], why: 'more' })}`;
  expect(await ask(change({ ...step('b', ['b']) }))).toContain('needs itself');
  expect(await ask(change(step('b', ['a'])))).toContain('A person decides');
  const { proposals } = (await call<{ proposals: { proposalId: string; diff: object }[] }>('GET', '/api/plans/roles/proposals')).body;
  expect(proposals).toMatchObject([{ sessionId: id, why: 'more', diff: { added: [{ id: 'b' }] } }]);
  expect((await plan('roles')).nodes).toHaveLength(1);
  const path = `/api/plans/roles/proposals/${encodeURIComponent(proposals[0]?.proposalId ?? '')}`;
  expect((await call('POST', path, { behavior: 'accept' }, viewer)).status).toBe(403);
  expect((await call('POST', path, { behavior: 'accept' }, driver)).status).toBe(202);
  expect((await until('roles', 'done')).nodes.map((node) => node.id)).toEqual(['a', 'b']);
  const audit = (await call<{ entries: { action: string; actor: { kind: string } }[] }>('GET', '/api/audit?session=_plan-roles')).body.entries;
  expect(audit.map(({ action, actor }) => `${actor.kind} ${action}`)).toEqual(
    expect.arrayContaining(['agent plan.proposed', 'person plan.started', 'person proposal.decided']),
  );
  for (const reserved of ['p_x', '_plan-x'])
    expect((await call('POST', '/api/sessions', { id: reserved, agent: 'demo', cwd: server.project })).status).toBe(400);
});
