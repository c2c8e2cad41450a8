import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { agentsWith } from '../index.ts';
import { AcpAgentConfig } from './agent-config.ts';
import { PRESET_AGENTS } from './presets.ts';

test('[R397] agents that need no configuration are listed with how to start and how to install them', () => {
  const launch = { executable: '/bin/x', packageRoot: '/', env: {}, cwd: '/', options: {}, mode: 'new', agentSessionId: 's' } as const;
  const listed = agentsWith({}).filter(({ id }) => id.startsWith('acp:'));
  expect(listed.map((agent) => [agent.id, agent.title, agent.locate.names[0], ...agent.launch(launch).args])).toEqual([
    ['acp:gemini', 'Gemini CLI', 'gemini', '--acp'],
    ['acp:opencode', 'OpenCode', 'opencode', 'acp'],
    ['acp:copilot', 'Copilot CLI', 'copilot', '--acp'],
    ['acp:qwen', 'Qwen Code', 'qwen', '--acp'],
  ]);
  for (const { locate } of listed) expect(locate.install).toMatch(/^npm install -g /);
});

test('the config file can define one of them differently', () => {
  const own = z.parse(AcpAgentConfig, { title: 'Mine', command: '/opt/gemini', args: ['--experimental-acp'] });
  const gemini = agentsWith({ 'acp:gemini': own }).filter(({ id }) => id === 'acp:gemini');
  expect(gemini.map(({ title }) => title)).toEqual(['Mine']);
});

test('each is a valid definition of the config file', () => {
  for (const [, agent] of PRESET_AGENTS) expect(z.parse(AcpAgentConfig, agent)).toEqual(agent);
});
