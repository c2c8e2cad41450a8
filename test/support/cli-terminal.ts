import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { CliDeps } from '../../src/cli/shared/deps.ts';

/** A command line without a process: records the output, and can type and press Ctrl-C. */
export interface Terminal {
  readonly deps: CliDeps;
  out(): string;
  err(): string;
  type(text: string): void;
  interrupt(): void;
  /** Resolves when the text has been printed. */
  shows(text: string): Promise<void>;
}

interface TerminalOptions {
  readonly dataDir: string;
  readonly isTTY?: boolean;
  readonly deps?: Partial<CliDeps>;
}

export function createTerminal({ dataDir, isTTY = false, deps = {} }: TerminalOptions): Terminal {
  const printed = { out: '', err: '' };
  const waiting = new Set<() => void>();
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const interrupts = new Set<() => void>();
  const output = (name: 'out' | 'err') => ({
    isTTY,
    write: (text: string) => {
      printed[name] += text;
      for (const check of [...waiting]) check();
    },
  });
  return {
    out: () => printed.out,
    err: () => printed.err,
    type: (text) => stdin.write(text),
    interrupt: () => {
      for (const handler of interrupts) handler();
    },
    shows: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!`${printed.out}${printed.err}`.includes(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    deps: {
      version: '0.0.0-test',
      hooks: { agents: [], program: '/nowhere/signalbox-hook', node: process.execPath },
      env: { NO_COLOR: '1' },
      cwd: '/tmp',
      stdin,
      stdout: output('out'),
      stderr: output('err'),
      onInterrupt: (handler) => {
        interrupts.add(handler);
        return () => interrupts.delete(handler);
      },
      loadConfig: (flags) => ({ data: String(flags.data ?? dataDir), host: '127.0.0.1', port: 0, values: { port: 0 }, from: { port: 'default' } }),
      serve: async () => 0,
      rebuild: async () => [],
      replay: async () => ({ events: [], difference: undefined }),
      checkJournal: async () => ({ isSame: true, lines: [] }),
      agents: async () => [],
      tokens: { add: () => '', list: () => [], revoke: () => false },
      script: join(import.meta.dirname, '../../bin/signalbox.mjs'),
      webDir: dataDir,
      ...deps,
    },
  };
}
