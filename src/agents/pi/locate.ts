import type { Locate } from '../port/adapter.ts';

export const locate: Locate = {
  variable: 'PI_PATH',
  names: ['pi'],
  install:
    'npm install -g @earendil-works/pi-coding-agent (needs Node 22.19 or newer; @mariozechner/pi-coding-agent 0.73 runs with Node 20), then run pi once to log in',
  versionArgs: ['--version'],
  explain,
};

/** The oldest Node for the newer package; 0.87.1 doesn't start with an older one. */
const OLDEST_NODE = [22, 19] as const;

function explain(problem: string): string | undefined {
  const [, found, major, minor] = /Node\.js v((\d+)\.(\d+)[\d.]*)/.exec(problem) ?? [];
  if (found === undefined || !problem.includes('SyntaxError')) return undefined;
  const isOld = Number(major) < OLDEST_NODE[0] || (Number(major) === OLDEST_NODE[0] && Number(minor) < OLDEST_NODE[1]);
  return isOld ? `it needs Node ≥ ${OLDEST_NODE.join('.')}, found ${found}` : undefined;
}
