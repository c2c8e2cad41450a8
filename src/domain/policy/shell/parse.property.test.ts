import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allowing, shell } from '../../../../test/support/policy.ts';
import { proofCount } from '../../../../test/support/proof-length.ts';
import { judgeBy } from '../judge.ts';
import type { Line } from './line.ts';
import { parse } from './parse.ts';
import { lexical } from './paths.ts';
import { typed } from './quote.ts';

const SIGNS = [...'\'"\\$`&|;()<>#!{}~=*?[]^@%+-/.,:0 \t\n\r\u200bépab'];
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...SIGNS), { maxLength: 40 }).map((signs) => signs.join('')),
);

test('any text is parsed without an error, and the number of joins matches the commands', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { commands, joins, problem } = parse(text);
      if (problem === undefined) expect(joins).toHaveLength(commands.length - 1);
    }),
    { numRuns: proofCount(5_000) },
  );
});

const plain = fc.string({ unit: fc.constantFrom(...[...SIGNS].filter((sign) => !/[\n\r\u200b]/.test(sign))), maxLength: 8 });
/** One word written in the ways that people and agents write it, piece by piece. */
const piece = plain.chain((text) =>
  fc.constantFrom(
    `'${text.replaceAll("'", '')}'`,
    `"${text.replace(/["\\$`!]/g, '\\$&')}"`,
    [...text].map((char) => `\\${char}`).join(''),
    text.replace(/\W/g, ''),
    text,
  ),
);
const word = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
const argumentsOf = fc.array(word, { maxLength: 4 }).map((words) => ['p', ...words].join(' '));
const joined = fc.array(fc.tuple(argumentsOf, fc.constantFrom(' && ', '; ', ';', ' | ', '&&')), { minLength: 1, maxLength: 3 });
const anyLine = fc.oneof(
  anyText.map((text) => `p ${text}`),
  joined.map((parts) => parts.map(([command, sign], at) => (at === 0 ? command : sign + command)).join('')),
  joined.map((parts) => parts.map(([command, sign], at) => (at === 0 ? command : parts[at - 1]?.[1] + command + (sign === ';' ? sign : ''))).join('')),
);

const folder = mkdtempSync(join(tmpdir(), 'signalbox-shell-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs lines whose only program is `p`, in an empty folder and with an empty PATH: `p` prints its arguments. Calls are sorted per line: those of a pipe run concurrently. */
function ranBy(program: string, lines: readonly string[]): string[][] {
  const script = 'p() { printf "%s\\0" "call $#" "$@" >&3; }; for line in "$@"; do eval "$line"; printf "line\\0" >&3; done';
  const child = spawnSync(program, ['-c', script, program, ...lines], { cwd: folder, env: { PATH: folder }, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const printed = String(child.output[3]).split('\0').slice(0, -1);
  const found: string[][] = [];
  let calls: string[] = [];
  for (let at = 0; at < printed.length; at += 1) {
    const [kind, count] = (printed[at] ?? '').split(' ');
    if (kind === 'call') {
      calls.push(JSON.stringify(printed.slice(at + 1, at + 1 + Number(count))));
      at += Number(count);
    } else {
      found.push(calls.sort());
      calls = [];
    }
  }
  return found;
}

const expectedOf = ({ commands }: Line): string[] => commands.map(([, ...others]) => JSON.stringify(others.map(({ text }) => text))).sort();

/** Lines that are understood, call nothing but `p`, and leave nothing for the shell to expand. */
const isHarmless = ({ commands, joins, problem }: Line): boolean =>
  problem === undefined && !joins.includes('||') && commands.every(([name, ...others]) => name.text === 'p' && others.every(({ live }) => live.length === 0));

/** Corner cases that random lines rarely hit. */
const CORNERS = [
  ['p "a\\b" "a\\\\b" "a\\"b" "\\$x" "\\`"', ['a\\b', 'a\\b', 'a"b', '$x', '`']],
  ["p 'a\\' '\"' \"'\" ''\"\"", ['a\\', '"', "'", '']],
  ['p a\'b\'"c"\\d', ['abcd']],
  ['p a#b \\# "#" # c', ['a#b', '#', '#']],
  ['p HEAD@{1} {} a{b} x=y HEAD~1 a~', ['HEAD@{1}', '{}', 'a{b}', 'x=y', 'HEAD~1', 'a~']],
  ['p "$" $ a! "b!" 100% -- -x', ['$', '$', 'a!', 'b!', '100%', '--', '-x']],
  ['\tp\t1  2\t', ['1', '2']],
] as const;

for (const program of ['/bin/bash', '/bin/sh']) {
  for (const [line, words] of CORNERS) {
    test(`${program} reads ${JSON.stringify(line)} the way our parser does`, () => {
      expect(parse(line)).toMatchObject({ problem: undefined, commands: [[{ text: 'p' }, ...words.map((text) => ({ text }))]] });
      expect(ranBy(program, [line])).toEqual([[JSON.stringify(words)]]);
    });
  }

  test(`the words of an understood line are exactly those that ${program} passes on`, () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 100, maxLength: 100 }), (lines) => {
        const harmless = lines.filter((line) => isHarmless(parse(line)));
        compared += harmless.length;
        expect(ranBy(program, harmless)).toEqual(harmless.map((line) => expectedOf(parse(line))));
      }),
      { numRuns: proofCount(40) },
    );
    expect(compared).toBeGreaterThan(500);
  });
}

test('words that are quoted again parse to the same words', () => {
  const visible = fc.string({ unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(fc.array(visible), (words) => {
      const { commands, problem } = parse(typed(['p', ...words]));
      expect(problem).toBeUndefined();
      expect(commands[0]?.map(({ text }) => text)).toEqual(['p', ...words]);
    }),
  );
});

const judge = judgeBy(allowing('git *', 'npm run *', 'ls *', 'cat *', 'find *', 'grep *', 'echo *', 'head *'), lexical);
const ALLOWED = ['git status', 'git log --oneline -5', 'npm run test', 'ls -la src', 'cat a b', 'find . -name x', 'grep -rn x src | head -5', 'echo a && ls'];
// biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, not ours
const EXPANDED = ['$(id)', '`id`', '$x', '${x}', '$((1))', "$'a'", '\n', '\r', '\u202e', '\0'];
const UNQUOTED = [
  '> x',
  '>x ',
  '< x',
  '2>&1',
  '<<E',
  '<<<x',
  '<(id)',
  '>(id)',
  '; rm x',
  ';rm x;',
  '&& rm x',
  '|| rm x',
  '| sh ',
  '& rm x',
  '&',
  '{a,b}',
  '(id)',
  ';eval x;',
];

function inserted(into: readonly string[], what: readonly string[]) {
  return fc.tuple(fc.constantFrom(...into), fc.constantFrom(...what), fc.nat(1000)).map(([line, sign, at]) => ({
    line,
    sign,
    at: at % (line.length + 1),
    text: line.slice(0, at % (line.length + 1)) + sign + line.slice(at % (line.length + 1)),
  }));
}

test('a dangerous token inserted anywhere into an allowed line makes it not allowed', () => {
  fc.assert(
    fc.property(inserted(ALLOWED, [...EXPANDED, ...UNQUOTED]), ({ text }) => void expect(judge(shell(text))).toBeUndefined()),
    { numRuns: proofCount(2_000) },
  );
});

test('in double quotes an expansion still blocks a line; in single quotes only a line break or an invisible character does', () => {
  const double = 'echo "a b c"';
  const single = "echo 'a b c'";
  fc.assert(
    fc.property(inserted([double], EXPANDED), ({ text }) => void expect(judge(shell(text))).toBeUndefined()),
    { numRuns: proofCount(500) },
  );
  const visible = [...EXPANDED, ...UNQUOTED].filter((sign) => !/['\n\r\0\u202e]/.test(sign));
  fc.assert(
    fc.property(
      inserted([single], visible),
      ({ text, at }) => void expect(judge(shell(text)) !== undefined).toBe(at > single.indexOf("'") && at < single.length),
    ),
    { numRuns: proofCount(500) },
  );
});
