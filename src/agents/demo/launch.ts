import type { Launch, LaunchContext, Locate } from '../port/adapter.ts';
import { nodeArgs, ownProgram } from '../port/own-program.ts';

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
  const settings = settingArgs(context);
  switch (context.mode) {
    case 'new':
      return ['--session', context.agentSessionId, ...settings];
    case 'resume':
      return ['--resume', context.agentSessionId, ...settings];
    case 'fork':
      return ['--session', context.forkSessionId ?? `${context.agentSessionId}-fork`, '--fork-of', context.agentSessionId, ...settings];
  }
}

function settingArgs({ options, afterMessage }: LaunchContext): readonly string[] {
  return [
    ...['--permission-mode', options.permissionMode ?? 'default'],
    ...(options.model === undefined ? [] : ['--model', options.model]),
    ...(options.thinking === undefined ? [] : ['--thinking', options.thinking]),
    ...(afterMessage === undefined ? [] : ['--after', afterMessage]),
  ];
}
