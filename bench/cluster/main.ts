import { randomUUID } from 'node:crypto';
import { api, connectClient, type TestClient } from '../../test/support/client.ts';
import { idOf, startMachines } from '../../test/support/cluster/machines.ts';
import { waitFor } from '../../test/support/wait-for.ts';

// npm run bench -- cluster: one hop through Redis next to the same thing on the machine itself, in one run. Two servers and Redis on this machine.
const REQUESTS = 300;
const TURNS = 30;

const machines = await startMachines({}, {});
const [near, far] = machines.servers;
if (near === undefined || far === undefined) throw new Error('two servers are needed');

const id = `s-${randomUUID()}`;
await api(near, 'POST', '/api/sessions', { id, node: await idOf(far), agent: 'demo', cwd: far.project, prompt: 'hello' });

const percentile = (times: readonly number[], share: number): number => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN;
const row = (what: string, times: readonly number[]): void =>
  void process.stdout.write(`${what.padEnd(58)} p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms (${times.length})\n`);

async function timed(work: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const startedAt = performance.now();
    await work(n);
    times.push(performance.now() - startedAt);
  }
  return times;
}

await timed(() => api(near, 'GET', `/api/sessions/${id}`));
row('GET a session, on its machine', await timed(() => api(far, 'GET', `/api/sessions/${id}`)));
row('GET a session, through another machine', await timed(() => api(near, 'GET', `/api/sessions/${id}`)));
row('GET the list, on its machine', await timed(() => api(far, 'GET', '/api/sessions')));
row('GET the list, on another machine', await timed(() => api(near, 'GET', '/api/sessions')));

/** When each delta and event arrived, by what it is. */
async function listener(at: NonNullable<typeof near>): Promise<{ readonly client: TestClient; readonly arrived: ReadonlyMap<string, number> }> {
  const client = await connectClient(at);
  const arrived = new Map<string, number>();
  client.send({ type: 'subscribe', sessionId: id as never });
  await client.waitFor((frame) => frame.type === 'snapshot');
  const known = client.frames.length;
  let seen = known;
  const note = (): void => {
    for (; seen < client.frames.length; seen++) {
      const frame = client.frames[seen];
      if (frame?.type === 'delta') arrived.set(`${frame.itemId} ${frame.offset}`, performance.now());
      if (frame?.type === 'event') arrived.set(`event ${frame.seq}`, performance.now());
    }
  };
  setInterval(note, 0).unref();
  return { client, arrived };
}

const [here, there] = [await listener(far), await listener(near)];
for (let turn = 0; turn < TURNS; turn++) {
  await api(far, 'POST', `/api/sessions/${id}/input`, { text: 'hello', commandId: `turn-${turn}` });
  await waitFor('the turn to end', () => there.client.events(id).filter(({ type }) => type === 'turn.completed').length > turn + 1);
}
await waitFor('everything to arrive', () => there.arrived.size >= here.arrived.size);
const added = [...here.arrived].flatMap(([what, at]) => (there.arrived.has(what) ? [(there.arrived.get(what) ?? 0) - at] : []));
row('delta or event: later through another machine by', added);
process.stdout.write(`${'of them missing there'.padEnd(58)} ${here.arrived.size - added.length} of ${here.arrived.size}\n`);
const memory = /used_memory_human:(\S+)/.exec(await machines.redis.client.info('memory'))?.[1];
process.stdout.write(`${'Redis memory, 2 machines'.padEnd(58)} ${memory}\n`);
for (const { client } of [here, there]) client.close();
await machines.close();
