import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestServer } from '../real-server.ts';
import { waitFor } from '../wait-for.ts';

/** Claude Code as a person runs it: on a real pty, which `script` makes. */
export interface ClaudeTerminal {
  /** What it has drawn so far, without escape sequences and blanks: the CLI moves the cursor instead of writing blanks. */
  screen(): string;
  shows(text: string): Promise<void>;
  /** Types a prompt, and Enter until it is in the CLI's record: the first Enter may only close a menu. */
  prompt(text: string): Promise<void>;
  /** Again after a while: a key that comes before the dialog is ready does nothing. */
  pressUntil(keys: string, what: string, isDone: () => boolean | Promise<boolean>): Promise<void>;
  /** Ctrl-C twice. */
  quit(): Promise<void>;
}

const ESCAPE = String.fromCharCode(27);
const SEQUENCES = new RegExp(`${ESCAPE}(?:\\[[0-9;?>=]*[A-Za-z]|\\][^\\x07]*\\x07|[=>()][A-Z0-9]?)`, 'g');

export function openClaudeTerminal(server: TestServer, cli: string, env: Readonly<Record<string, string>>): ClaudeTerminal {
  prepareHome(server, env.ANTHROPIC_API_KEY ?? '');
  const shell = `stty rows 40 cols 120; exec '${cli}' --permission-mode default`;
  const pty: ChildProcess = spawn('script', ['-qfec', shell, '/dev/null'], {
    cwd: server.project,
    env: { PATH: process.env.PATH ?? '', HOME: server.home, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let drawn = '';
  pty.stdout?.setEncoding('utf8').on('data', (text: string) => {
    drawn += text;
  });
  const screen = (): string => drawn.replace(SEQUENCES, '').replace(/\s+/g, '');
  const press = (keys: string): void => void pty.stdin?.write(keys);
  const pressUntil: ClaudeTerminal['pressUntil'] = async (keys, what, isDone) => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    await waitFor(
      () => `${what}; the terminal shows ${screen().slice(-600)}`,
      async () => {
        if (await isDone()) return true;
        if (performance.now() - pressedAt < PRESS_AGAIN_MS) return false;
        pressedAt = performance.now();
        press(keys);
        return false;
      },
    );
  };
  return {
    screen,
    shows: async (text) =>
      void (await waitFor(
        () => `"${text}" in the terminal, which shows: ${screen().slice(-600)}`,
        () => screen().includes(text.replace(/\s+/g, '')),
      )),
    prompt: async (text) => {
      await waitFor('the prompt of the CLI', () => screen().includes('❯'));
      press(text);
      await waitFor('the typed prompt', () => screen().includes(text.replace(/\s+/g, '')));
      await pressUntil('\r', 'the CLI to take the prompt', () => isRecorded(server.home, text));
    },
    pressUntil,
    // The first one may only end what it does.
    quit: () => pressUntil('\u0003\u0003', 'the CLI to exit', () => pty.exitCode !== null),
  };
}

const PRESS_AGAIN_MS = 3000;

function isRecorded(home: string, text: string): boolean {
  const folder = join(home, '.claude', 'projects');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return files.some((file) => file.endsWith('.jsonl') && readFileSync(join(folder, file), 'utf8').includes(JSON.stringify(text)));
}

/** So that the CLI starts at its prompt: no onboarding, a known key, a trusted folder. */
function prepareHome({ home, project }: TestServer, key: string): void {
  const file = join(home, '.claude.json');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  mkdirSync(dirname(file), { recursive: true });
  const answered = { hasCompletedOnboarding: true, theme: 'dark', customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] } };
  writeFileSync(file, JSON.stringify({ ...before, ...answered, projects: { ...before.projects, [realpathSync(project)]: { hasTrustDialogAccepted: true } } }));
}
