import type { Locate } from '../port/adapter.ts';

export const locate: Locate = {
  variable: 'OPENCLAW_PATH',
  names: ['openclaw'],
  install: 'npm install -g openclaw with Node 24.16 or newer, then run openclaw onboard',
  versionArgs: ['--version'],
  needs: { node: '>=24.16 <25 || >=26.1' },
};
