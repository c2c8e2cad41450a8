import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { inheritable, runnableEnv } from './environment.ts';

test('[R400] no agent inherits the variables by which it would believe that it runs inside another agent', () => {
  const env = {
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    OPENCLAW_SESSION: 'x',
    SIGNALBOX_TOKEN: 't',
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CONFIG_DIR: '/c',
    HOME: '/h',
  };
  expect(inheritable(env)).toEqual({ ANTHROPIC_API_KEY: 'k', CLAUDE_CONFIG_DIR: '/c', HOME: '/h' });
});

test("an agent's PATH ends with the folders in which tools are usually installed, as far as they exist", () => {
  const home = temporaryFolder('path');
  for (const folder of ['.cargo/bin', '.local/bin']) mkdirSync(join(home, folder), { recursive: true });
  const folders = (runnableEnv({ HOME: home, PATH: '/first:/usr/bin' }, '/opt/agent/bin/agent').PATH ?? '').split(delimiter);
  expect(folders.slice(0, 3)).toEqual(['/first', '/usr/bin', '/opt/agent/bin']);
  expect(folders).toEqual(expect.arrayContaining([join(home, '.cargo/bin'), join(home, '.local/bin'), '/usr/local/bin', '/bin']));
  expect(folders).not.toContain(join(home, 'go/bin'));
  expect(new Set(folders).size).toBe(folders.length);
});
