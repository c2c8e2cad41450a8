import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { expect } from 'vitest';

/** Why there can be no terminal in these tests; undefined if there can. */
export const ptyMissing: string | undefined = spawnSync('script', ['--version']).status === 0 ? undefined : 'the program "script" (util-linux) is missing';

export interface Pty {
  type(text: string): void;
  /** The visible lines, without trailing blanks. */
  screen(): readonly string[];
  shows(text: string): Promise<void>;
  /** As a terminal window does. */
  resize(columns: number): void;
  /** Resolves with the exit code of the program. */
  readonly exited: Promise<number | null>;
  readonly pid: number | undefined;
}

interface PtyOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns: number;
}

const ROWS = 40;

/** Runs a program on a real pseudo-terminal, through util-linux's `script`. */
export function openPty(command: readonly string[], { env, cwd, columns }: PtyOptions): Pty {
  const inner = `stty rows ${ROWS} cols ${columns}; tty; exec "$@"`;
  const line = `sh -c '${inner}' sh ${command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`;
  const child = spawn('script', ['-q', '-f', '-e', '-c', line, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm' }, stdio: ['pipe', 'pipe', 'inherit'] });
  const printed: Piece[] = [{ text: '', width: columns }];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const last = printed.at(-1);
    if (last !== undefined) last.text += text;
  });
  const screen = (): readonly string[] => linesOf(printed);
  return {
    type: (text) => void child.stdin.write(text),
    screen,
    shows: (text) => expect.poll(() => screen().join('\n')).toContain(text),
    resize: (next) => {
      const device = /\/dev\/pts\/\d+/.exec(printed[0]?.text ?? '')?.[0] ?? '';
      printed.push({ text: '', width: next });
      execFileSync('stty', ['-F', device, 'cols', String(next), 'rows', String(ROWS)]);
    },
    exited: new Promise((resolve) => child.once('exit', resolve)),
    pid: child.pid,
  };
}

/** What was printed while the window had this width. */
interface Piece {
  text: string;
  readonly width: number;
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in control characters
const SEQUENCE = /\u001b\[([\d;?]*)([A-Za-z])|\u001b[=>]|([^\u001b])/gu;

/** What a terminal shows after these bytes, as far as line editors need one: cursor movement, clearing, wrapping, double width. */
function linesOf(pieces: readonly Piece[]): readonly string[] {
  const rows: string[][] = [[]];
  let [x, y] = [0, 0];
  const row = (): string[] => {
    while (rows.length <= y) rows.push([]);
    return rows[y] ?? [];
  };
  const signs = pieces.flatMap(({ text, width }) => [...text.matchAll(SEQUENCE)].map(([, given = '', letter, char]) => ({ given, letter, char, width })));
  for (const { given, letter, char, width } of signs) {
    const count = Math.max(1, Number.parseInt(given, 10) || 1);
    if (letter === 'A') y = Math.max(0, y - count);
    else if (letter === 'B') y += count;
    else if (letter === 'C') x += count;
    else if (letter === 'D') x = Math.max(0, x - count);
    else if (letter === 'G') x = count - 1;
    else if (letter === 'J') {
      row().splice(x);
      rows.splice(y + 1);
    } else if (letter === 'K') row().splice(x);
    else if (char === '\r') x = 0;
    else if (char === '\n') y += 1;
    else if (char === '\b') x = Math.max(0, x - 1);
    else if (char !== undefined && char >= ' ') {
      const wide = WIDE.test(char);
      if (x + (wide ? 2 : 1) > width) [x, y] = [0, y + 1];
      const line = row();
      while (line.length < x) line.push(' ');
      line[x] = char;
      if (wide) line[x + 1] = '';
      x += wide ? 2 : 1;
    }
  }
  return rows.map((line) => line.join('').trimEnd());
}
