import { expect, test } from 'vitest';
import { maskArguments } from './mask-arguments.ts';

test('[R754] secrets in a command line are hidden, whether a flag, a variable, an address or their own form gives them away', () => {
  const argv = ['claude', '-p', '--api-key', 'abc', '--auth-token=xyz', 'TOKEN=t', 'https://me:pw@host/x', 'sk-ant-1', '--model', 'opus', '--verbose'];
  expect(maskArguments(argv)).toEqual([
    ...['claude', '-p', '--api-key', '•••', '--auth-token=•••', 'TOKEN=•••', 'https://me:•••@host/x', '•••', '--model', 'opus', '--verbose'],
  ]);
});
