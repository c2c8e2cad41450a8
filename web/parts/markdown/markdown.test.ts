import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import remend from 'remend';
import { expect, test } from 'vitest';
import { blocksOf, type Cut, cutFurther } from './blocks.ts';
import FormattedMarkdown from './formatted-markdown.tsx';
import { highlight } from './highlight.ts';
import { MarkdownBlock } from './markdown-block.tsx';
import { plainBlock } from './plain-block.tsx';

const drawn = (text: string, isWriting = false): string => renderToStaticMarkup(createElement(FormattedMarkdown, { text, isWriting }));

test('[R124] HTML in an agent’s output is shown as text and never becomes an element', () => {
  const html = drawn('<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\nwords <b onclick="x()">bold</b>');

  expect(html).not.toMatch(/<(script|img|b)\b/);
  expect(html).not.toMatch(/<[^>]+on(error|click)=/);
});

const addresses = [
  ['https://example.com/', true],
  ['mailto:a@example.com', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['file:///etc/passwd', false],
  ['/api/sessions', false],
] as const;
for (const [address, isLink] of addresses) {
  test(`${address} ${isLink ? 'becomes a link that reveals nothing about this page' : 'stays text'}`, () => {
    const html = drawn(`[words](${address})`);

    expect(html.includes('<a ')).toBe(isLink);
    if (isLink) expect(html).toContain('rel="noopener noreferrer"');
  });
}

const destinations = [
  ['[your bank](https://evil.example/login)', 'your bank</a><span class="link-place"> (evil.example)</span>'],
  ['[**the** docs](https://docs.example)', '(docs.example)'],
  ['[https://bank.example, not evil.example](https://evil.example)', '(evil.example)'],
  ['[write](mailto:eve@example.com)', '(eve@example.com)'],
  ['[bank.example](https://bаnk.example/)', '(xn--bnk-6cd.example)'],
] as const;
for (const [text, shown] of destinations) test(`${text} says where it goes`, () => expect(drawn(text)).toContain(shown));

test('a link whose text is its address doesn’t repeat it', () => {
  expect(drawn('<https://example.com/a>')).not.toContain('link-place');
});

test('pictures become links, so an agent can’t make the page fetch anything', () => {
  expect(drawn('![alt](https://example.com/x.png)')).not.toContain('<img');
});

test('the blocks of a text add up to the text', () => {
  const text = '# head\n\npara\n\n```ts\nconst a = 1;\n\nb\n```\n\n- one\n- two\n';

  expect(blocksOf(text).map((block) => block.trim())).toEqual(['# head', 'para', '```ts\nconst a = 1;\n\nb\n```', '- one\n- two']);
});

const GROWING = [
  '# head\n\npara *soft*\n\n```ts\nconst a = 1;\n\nb\n```\n\n- one\n\n- two\n\n1. three\n\n> quote\nlazy\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSetext\n===\n\nlast',
  '- a\n  - b\n\n  c\n\n\n    code\n\n<div>\n\nx\n</div>\n\n***\n[ref]: https://example.com\n\nend\r\nof\ttext',
] as const;
for (const text of GROWING) {
  test(`a text that grows letter by letter is cut into the same blocks as a complete one: ${JSON.stringify(text.slice(0, 20))}`, () => {
    let cut: Cut | undefined;
    for (let length = 1; length <= text.length; length++) {
      cut = cutFurther(cut, text.slice(0, length));
      expect(cut.blocks, text.slice(0, length)).toEqual(blocksOf(text.slice(0, length)));
    }
  });
}

test('unclosed syntax is shown as closed while it is being written', () => {
  expect(drawn('this is **bold', true)).toContain('<strong>bold</strong>');
  expect(drawn('this is **bold')).not.toContain('<strong>');
});

const PLAIN = [
  'The queue is *settled* before the cart is merged, so `write(cartId)` waits; **two tabs** cannot race.\nA second line, with 2 * 3 and snake_case_words.',
  '- first the *guest* cart\n- then the `stored` one\n- and **both**',
  '## A head\n',
  '1. one\n2. two',
  'words\n===\n',
  '* * *\n',
  'a  \nb __c__ _d_ ***e*** ``f ` g``',
] as const;
for (const text of PLAIN) {
  test(`a block that is being written looks like the full parser’s output, letter by letter: ${JSON.stringify(text.slice(0, 24))}`, () => {
    const whole = (block: string) => renderToStaticMarkup(createElement(MarkdownBlock, { text: block, isWriting: false })).replace(/\n(?=<)|(?<=>)\n/g, '');
    for (let length = 1; length <= text.length; length++) {
      const block = remend(text.slice(0, length));
      const plain = plainBlock(block);
      if (plain !== undefined) expect(renderToStaticMarkup(plain).replace(/\n(?=<)|(?<=>)\n/g, ''), block).toBe(whole(block));
    }
  });
}

const NOT_PLAIN = [
  '<b>x</b>',
  '[a](javascript:x)',
  '![a](https://x)',
  'https://example.com',
  'www.example.com',
  'a@example.com',
  'R&amp;D',
  '| a |',
  '- [ ] task',
  '```ts',
] as const;
for (const text of NOT_PLAIN) test(`${text} is left to the full parser`, () => expect(plainBlock(text)).toBeUndefined());

test('the most common blocks are rendered without the full parser', () => {
  expect(PLAIN.slice(0, 2).map((text) => plainBlock(text) !== undefined)).toEqual([true, true]);
});

test('[R298] code is highlighted, except lines so long that it would block the page', async () => {
  const [short, long] = (await highlight(`echo "a"\n${'echo "a" '.repeat(200)}`, 'bash')) ?? [];
  expect(short?.length).toBeGreaterThan(1);
  expect(long).toHaveLength(1);
});
