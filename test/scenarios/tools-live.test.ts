import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { EventOf } from '../../src/protocol/event.ts';
import { LIVE_AGENTS } from '../support/live-suite/agents.ts';
import type { ScenarioContext } from '../support/live-suite/exchange.ts';
import { describeLive } from '../support/live-suite/live-suite.ts';
import { proofCount } from '../support/proof-length.ts';

const NAMES = ['annotate', 'answer_annotation', 'ask_person', 'find_sessions', 'read_session', 'report', 'send_to_session', 'start_session'];

const NEWEST = '2.1.325';
const isLong = proofCount(1) > 1;

/** In `npm test` the two versions of Claude Code; every agent with tools on the bus with `npm run prove -- tools`. */
const others = () => [...LIVE_AGENTS.codex(), ...LIVE_AGENTS.pi()];

for (const agent of [...LIVE_AGENTS.claudeCode(), ...(isLong ? others() : [])]) {
  describeLive(`Signalbox’s tools in ${agent.title}`, agent, (scenario) => {
    scenario('[R405] ask_person is answered across a killed server, as the result of the very same call', askAcrossKill);
    scenario('[R406] exactly our tools are offered, and each of the others answers', everyTool);
    if (agent.id === 'claude-code' && (isLong || agent.version === NEWEST))
      scenario('[R416] a person’s own MCP server with our name works next to ours, and the session says so', sameName);
  });
}

async function askAcrossKill({ setup }: ScenarioContext): Promise<void> {
  const { id } = await setup.create('@TOOL ask_person {"question":"Which database?"}');
  const asked = await setup.event(id, 'permission.requested');
  expect(asked).toMatchObject({ kind: 'question', tool: 'ask_person', title: 'Which database?' });
  await setup.server.kill9();
  await setup.server.restart();
  expect(await setup.answer(asked.requestId, 'allow', { answers: { 'Which database?': 'Postgres, on port 5433' } })).toBe(200);
  const call = await setup.event(id, 'tool.asked');
  const done = await setup.event(id, 'tool.completed', ({ toolUseId }) => toolUseId === call.toolUseId);
  expect([done.output, done.isError]).toEqual(['Postgres, on port 5433', false]);
  await setup.event(id, 'turn.completed');
  const events = await setup.events(id);
  expect(events.filter(({ type }) => type === 'permission.requested' || type === 'tool.answered').map(({ type }) => type)).toEqual([
    'permission.requested',
    'tool.answered',
  ]);
  const sent = readFileSync(join(setup.server.data, 'sessions', id, call.run, 'in.ndjson'), 'utf8');
  expect(sent.split('\n').filter((line) => line.includes('Postgres, on port 5433'))).toHaveLength(1);
}

async function everyTool({ setup }: ScenarioContext): Promise<void> {
  const { id } = await setup.create('@TOOL report {"state":"progress","summary":"half way"}');
  const call = await setup.event(id, 'tool.asked');
  expect(await setup.event(id, 'tool.completed', ({ toolUseId }) => toolUseId === call.toolUseId)).toMatchObject({ output: 'Noted.', isError: false });
  await setup.event(id, 'turn.completed');
  const bodies = (await setup.model.requests()).map(({ body }) => body as { readonly tools?: readonly { readonly name?: string }[] });
  const offered = (bodies.findLast(({ tools }) => tools?.some(({ name }) => name?.endsWith('ask_person')))?.tools ?? []).flatMap(({ name }) => name ?? []);
  expect(NAMES.filter((tool) => offered.filter((name) => name === tool || name.endsWith(`__${tool}`)).length === 1)).toEqual(NAMES);
  for (const [tool, input, words] of [
    ['find_sessions', '{"limit":5}', id],
    ['read_session', `{"sessionId":"${id}"}`, 'half way'],
    ['start_session', '{"prompt":"hello","title":"A child"}', 'Started the session'],
    ['send_to_session', '{"sessionId":"nobody","text":"hello"}', 'There is no running session'],
    ['annotate', '{"file":"nowhere.txt","line":1,"kind":"note","text":"hello"}', 'can’t be read'],
    ['answer_annotation', '{"label":"A1","text":"hello"}', 'There is no review to answer'],
  ] as const) {
    const { seq } = (await setup.events(id)).at(-1) ?? { seq: 0 };
    await setup.send(id, `@TOOL ${tool} ${input}`);
    const answered = await setup.event(id, 'tool.completed', undefined, seq);
    expect(`${tool}: ${answered.output}`).toContain(words);
    await setup.event(id, 'turn.completed', undefined, seq);
  }
}

async function sameName({ setup }: ScenarioContext): Promise<void> {
  const { home } = setup.server;
  const file = join(home, '.claude.json');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const mcpServers = { signalbox: { type: 'stdio', command: process.execPath, args: [resolve(import.meta.dirname, '../fixtures/mcp-server.mjs')] } };
  writeFileSync(file, JSON.stringify({ ...before, mcpServers }));
  try {
    const { id } = await setup.create('@TOOL report {"state":"done"}');
    const call = await setup.event(id, 'tool.asked');
    expect(await setup.event(id, 'tool.completed', ({ toolUseId }) => toolUseId === call.toolUseId)).toMatchObject({ output: 'Noted.' });
    const connected = ({ mcpServers: servers }: EventOf<'session.started'>) => servers.filter(({ status }) => status === 'connected').map(({ name }) => name);
    expect(connected(await setup.event(id, 'session.started')).toSorted()).toEqual(['signalbox', 'signalbox-2']);
    expect((await setup.event(id, 'notice.shown')).text).toContain('“signalbox-2”');
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers).toEqual(mcpServers);
  } finally {
    writeFileSync(file, JSON.stringify(before));
  }
}
