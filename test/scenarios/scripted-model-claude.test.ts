import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudePath } from '../support/agents/agent-clis.ts';
import { startScriptedModel } from '../support/scripted-model/model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

for (const version of ['2.1.197', '2.1.325'] as const) {
  test(`Claude Code ${version} takes the scripted model for the real one`, async ({ skip }) => {
    const claude = claudePath(version);
    if ('skip' in claude) return skip(claude.skip);
    const folder = temporaryFolder('model');
    const model = await startScriptedModel();
    try {
      const plain = await ask(claude.path, folder, model.url, '@THINK about trains');
      expect(plain).toMatchObject({ is_error: false, result: 'Thought about: about trains' });
      const wrote = await ask(claude.path, folder, model.url, '@WRITE notes.txt hello');
      expect(wrote).toMatchObject({ is_error: false, result: 'Wrote it.' });
      expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('hello');
      const failed = await ask(claude.path, folder, model.url, '@ERROR400');
      expect(failed).toMatchObject({ is_error: true });
    } finally {
      await model.close();
    }
  });
}

/** One question to the CLI, with nothing of this machine's environment but PATH. */
function ask(executable: string, cwd: string, modelUrl: string, prompt: string): Promise<unknown> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'sk-ant-fake',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
  };
  const child = spawn(executable, ['-p', prompt, '--output-format', 'json', '--permission-mode', 'acceptEdits'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.on('close', (code) => (out.startsWith('{') ? resolve(JSON.parse(out)) : reject(new Error(`claude ended with ${code}: ${out}${err}`)))),
  );
}
