import type { Launch, LaunchContext, Locate } from '../adapter.ts';
import { nodeArgs, ownProgram } from '../own-program.ts';

export const locate: Locate = {
  names: [],
  versionArgs: ['--version'],
  builtin: ownProgram('src/agents/demo/program.ts', 'dist/agents/demo.mjs'),
};

export function launch(context: LaunchContext): Launch {
  const env = { ...context.env, ...context.options.env };
  return { command: process.execPath, args: [...nodeArgs(context.executable), ...sessionArgs(context)], env };
}

function sessionArgs(context: LaunchContext): readonly string[] {
  const mode = ['--permission-mode', context.options.permissionMode ?? 'default'];
  switch (context.mode) {
    case 'new':
      return ['--session', context.agentSessionId, ...mode];
    case 'resume':
      return ['--resume', context.agentSessionId, ...mode];
    case 'fork':
      return ['--session', context.forkSessionId ?? `${context.agentSessionId}-fork`, '--fork-of', context.agentSessionId, ...mode];
  }
}
