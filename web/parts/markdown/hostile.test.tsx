import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { openReplayServer, type ReplayServer } from '../../../test/support/replay/replay-server.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { createApi } from '../../client/http/api.ts';
import { storedDrafts } from '../../client/storage/drafts.ts';
import { memoryOutbox } from '../../client/storage/outbox.ts';
import { type Cockpit, openCockpit } from '../../store/cockpit.ts';
import { CockpitContext } from '../../store/cockpit-context.ts';
import { blocksOf, cutFurther } from './blocks.ts';
import { isDeep, isLight, isShallow } from './bounds.ts';
import FormattedMarkdown from './formatted-markdown.tsx';

let replay: ReplayServer;
let cockpit: Cockpit;
beforeAll(async () => {
  replay = await openReplayServer([]);
  cockpit = await openCockpit({
    socketUrl: `${replay.url.replace('http', 'ws')}ws`,
    api: createApi(replay.url),
    outbox: memoryOutbox(),
    drafts: storedDrafts({ getItem: () => null, setItem: () => undefined, removeItem: () => undefined }),
    schedule: (draw) => void setImmediate(draw),
    newId: () => 'c1',
    now: Date.now,
    WebSocket: NodeWebSocket as unknown as typeof WebSocket,
  });
});
afterAll(async () => {
  cockpit.close();
  await replay.close();
});

const drawn = (text: string, isWriting = false): string =>
  renderToStaticMarkup(
    <CockpitContext value={cockpit}>
      <FormattedMarkdown text={text} isWriting={isWriting} />
    </CockpitContext>,
  );

/** The text that a page shows: each message below ends with a word that must be in it. */
const shown = (html: string): string => html.replace(/<[^>]*>/g, '').replaceAll('&gt;', '>');
const depthOf = (html: string): number => {
  let [depth, max] = [0, 0];
  for (const [, end] of html.matchAll(/<(\/?)[a-z][^>]*?(?<!\/)>/g)) {
    depth += end === '' ? 1 : -1;
    max = Math.max(max, depth);
  }
  return max;
};

const lines = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('\n');
const pairs = (open: string, close: string, count = 4000): string => `${open.repeat(count)}x${close.repeat(count)}`;

const DEEP = {
  quotes: '>'.repeat(2500),
  'quotes with blanks': '> '.repeat(2500),
  bullets: `${'- '.repeat(1500)}x`,
  'bullets of each kind': '- + * '.repeat(800),
  numbers: '1. '.repeat(1500),
  'numbers with brackets': '7) '.repeat(1500),
  tasks: '- [ ] '.repeat(1500),
  'quotes and lists': '> - '.repeat(1500),
  'quotes, numbers and bullets': '> 1. * '.repeat(900),
  'a deep line among others': `words\n${'> '.repeat(2000)}deep\nwords`,
  'lists by their indents': lines(150, (at) => `${'  '.repeat(at)}- x`),
  'quotes that grow line by line': lines(300, (at) => `${'>'.repeat(at)} x`),
  'a fence in deep quotes': `${'> '.repeat(1500)}\`\`\`ts`,
  emphasis: pairs('*a ', ' b*'),
  strong: pairs('**a ', ' b**'),
  strikethrough: pairs('~~a ', ' b~~'),
  'emphasis of both kinds': pairs('*a _b ', ' b_ a*'),
  'stars and underlines': '*_'.repeat(6000),
} as const;

const COSTLY = {
  'closers without openers': 'a* '.repeat(8000),
  'openers without closers': '*a '.repeat(8000),
  'all kinds of signs': 'a**_b~`'.repeat(4000),
  brackets: '['.repeat(20_000),
  'brackets that close': pairs('[', ']', 10_000),
  'half links': '[a]('.repeat(8000),
  'links in links': pairs('[', '](b)'),
  pictures: '!['.repeat(10_000),
  'pictures in pictures': pairs('![', '](b)'),
  'addresses that never end': '[a](<b'.repeat(4000),
  footnotes: '[^a]'.repeat(6000),
  comments: `a ${'<!--'.repeat(8000)}`,
  instructions: `a ${'<?'.repeat(8000)}`,
  tags: `a ${'<b>'.repeat(8000)}`,
  'headings in a quote': lines(8000, (at) => (at % 2 === 0 ? '> a' : '> =')),
  'runs of backticks': lines(300, (at) => '`'.repeat(at + 1)).replaceAll('\n', ' '),
  'rows of a wide table': `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|\n'.repeat(500)}`,
} as const;

const DRAWABLE = {
  'brackets in one long code block': `\`\`\`ts\n${'a[0] * b[1] < c[2];\n'.repeat(2000)}\`\`\``,
  'a list of links': '- [words](https://example.com) and **more** of `it`\n'.repeat(500),
  'a table of code': `| a | b |\n|---|---|\n${'| `x` | **y** |\n'.repeat(400)}`,
  'five quotes in lists': `${'> - '.repeat(5)}words`,
  'twelve lists': lines(12, (at) => `${'  '.repeat(at)}- item`),
  'a rule of stars': '* '.repeat(60),
  'brackets in an address': `[a](${pairs('(', ')', 10_000)})`,
} as const;

const END = '\n\nneedle **bold**';

for (const isWriting of [false, true]) {
  const when = isWriting ? ', while being written' : '';
  for (const [name, text] of [...Object.entries(DEEP), ...Object.entries(COSTLY)]) {
    test(`[R298] ${name} are shown as plain text and the rest stays formatted${when}`, () => {
      const html = drawn(`words **strong**\n\n${text}${END}`, isWriting);
      expect(html).toContain('<strong>strong</strong>');
      expect(html).toContain('needle <strong>bold</strong>');
      expect(html).toContain('Shown as plain text');
      expect(shown(html)).toContain(text.split('\n').at(-1)?.trimEnd().replaceAll('<', '&lt;'));
      expect(drawn(text, isWriting)).toContain('Shown as plain text');
    });
  }
  for (const [name, text] of Object.entries(DRAWABLE)) {
    test(`${name}: rendered as usual${when}`, () => expect(drawn(text + END, isWriting)).not.toContain('Shown as plain text'));
  }
}

test('[R298] a hostile message can arrive in any pieces', () => {
  for (const text of Object.values({ ...DEEP, ...COSTLY })) {
    let cut: ReturnType<typeof cutFurther> | undefined;
    for (let length = 1; length < text.length; length = length * 4 + 1) {
      cut = cutFurther(cut, text.slice(0, length));
      expect(cut.blocks.join('').trim(), text.slice(0, 20)).toBe(text.slice(0, length).trim());
      expect(drawn(text.slice(0, length), true)).not.toBe('');
    }
  }
});

const PIECES = [
  '> ',
  '- ',
  '1. ',
  '* ',
  '  ',
  '    ',
  '\n',
  '\n\n',
  '*',
  '_',
  '**',
  '~~',
  '`',
  '```\n',
  '[',
  ']',
  '](',
  '![',
  '(',
  ')',
  '<',
  '<b>',
  '|',
  '|-|',
  '[^a]',
  '[a]: ',
];

test('[R298] random nesting is rendered with few levels', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = seeded(seed);
    const count = 1 + Math.floor(random() * 6);
    const chosen = Array.from({ length: count }, () => PIECES[Math.floor(random() * PIECES.length)] ?? 'x');
    const text = `${Array.from({ length: 700 }, () => (random() < 0.1 ? 'x' : (chosen[Math.floor(random() * count)] ?? ''))).join('')}\n\nneedle`;
    for (const isWriting of [false, true]) {
      const html = drawn(text, isWriting);
      expect(shown(html), `seed ${seed}`).toContain('needle');
      expect(depthOf(html), `seed ${seed}`).toBeLessThan(80);
    }
  }
});

test('only a paragraph that nests too deep is left uncut', () => {
  const deep = '>'.repeat(500);
  expect(blocksOf(`- one\n\n- two\n\n${deep}\n\nlast`).map((block) => block.trim())).toEqual(['- one\n\n- two', deep, 'last']);
});

test('each limit accepts its number and refuses one more', () => {
  const tree = (levels: number): { children?: readonly object[] } => (levels === 0 ? {} : { children: [tree(levels - 1)] });
  expect([isDeep(tree(64)), isDeep(tree(65))]).toEqual([false, true]);
  expect([isShallow('>'.repeat(64)), isShallow('>'.repeat(65))]).toEqual([true, false]);
  expect([isLight('[a '.repeat(600)), isLight('[a '.repeat(601))]).toEqual([true, false]);
});
