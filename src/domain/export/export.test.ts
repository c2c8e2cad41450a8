import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleEvents, sampleSession } from '../../../test/support/domain/export-samples.ts';
import type { Event } from '../../protocol/event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { openTranscript } from '../transcript/transcript.ts';
import type { ExportContent } from './block.ts';
import { blocksOf } from './blocks.ts';
import { fencedPartsOf } from './fences.ts';
import { HTML_FOOT, htmlHead, htmlOf } from './html.ts';
import { markdownHead, markdownOf } from './markdown.ts';
import { Segments } from './segments.ts';

function written(words: string, content: Partial<ExportContent> = {}) {
  const transcript = openTranscript(sampleEvents(words));
  const whole: ExportContent = { whole: () => undefined, picture: () => undefined, marks: (key) => transcript.items.get(key)?.marks, ...content };
  const blocks = blocksOf(transcript, transcript.rows, whole);
  const session = sampleSession(words);
  return {
    blocks,
    html: `${htmlHead(session)}${blocks.map(htmlOf).join('')}${HTML_FOOT}`,
    md: `${markdownHead(session)}${blocks.map(markdownOf).join('')}`,
  };
}

test('a session with a little of everything exports as expected', async () => {
  const { html, md } = written('the usual words');
  await expect(html).toMatchFileSnapshot(join(import.meta.dirname, 'golden/sample.html'));
  await expect(md).toMatchFileSnapshot(join(import.meta.dirname, 'golden/sample.md'));
});

test('a subagent’s work is nested inside its call, with who decided what', () => {
  const call = written('x').blocks.find((block) => block.kind === 'call');
  expect(call).toMatchObject({ kind: 'call', inside: [{ kind: 'answer' }, { kind: 'call', outcome: 'denied' }] });
  expect(written('x').blocks).toContainEqual({ kind: 'line', tone: 'bad', text: 'Ada denied Run x: “x”' });
});

/** Tags in our own documents; an attack would add another tag or attribute. */
const OWN_TAGS = new Set(
  ['html', 'head', 'meta', 'title', 'style', 'body', 'header', 'h1', 'h2', 'dl', 'dt', 'dd', 'main', 'section', 'time', 'div', 'pre', 'code', 'p'].concat([
    'details',
    'summary',
    'span',
    'b',
    'em',
    'img',
  ]),
);
const OWN_ATTRIBUTES = new Set(['lang', 'charset', 'http-equiv', 'content', 'name', 'class', 'alt', 'src']);

const attacks = [
  '<script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</title><svg onload=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</pre></details><iframe src="https://evil.example"></iframe>',
  '<!--',
  ']]><!DOCTYPE html>',
  '`<img src=x onerror=alert(1)>`',
  '```\n</pre><script>alert(1)</script>',
  '~~~\n```\n<script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\u202e<script>\u0000alert(1)</script>',
  '![x](https://evil.example/pixel.png)',
  '[x](javascript:alert(1))',
  '<details><summary>',
  '</details>',
];

for (const attack of attacks) {
  test(`no markup in an HTML export comes from the agent: ${JSON.stringify(attack)}`, () => {
    const { html } = written(attack);
    const tags = [...html.matchAll(/<\/?([a-zA-Z!][\w-]*)([^>]*)>/g)];
    expect(tags.map(([, name]) => name).filter((name) => name !== '!doctype' && !OWN_TAGS.has(name ?? ''))).toEqual([]);
    const attributes = tags.flatMap(([, , rest]) => [...(rest ?? '').matchAll(/([\w-]+)="[^"]*"/g)].map(([, name]) => name));
    expect(attributes.filter((name) => !OWN_ATTRIBUTES.has(name ?? ''))).toEqual([]);
    expect(tags.map(([, , rest]) => (rest ?? '').replace(/\s[\w-]+="[^"]*"/g, '').trim()).filter((rest) => rest !== '' && rest !== 'html')).toEqual([]);
    expect(html.match(/<img/g)).toBeNull();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in the file
    expect(html).not.toMatch(/[\u0000\u202e]/);
  });

  test(`outside code, a Markdown export has no markup and loads no image from the agent: ${JSON.stringify(attack)}`, () => {
    const { md } = written(attack);
    const words = fencedPartsOf(md.replace(/^(> ?)+/gm, ''))
      .filter((part) => !part.isCode)
      .map((part) => part.text)
      .join('\n');
    const own = /<\/?(details|summary)>/g;
    expect(words.replace(own, '')).not.toMatch(/<[a-zA-Z/!?]/);
    expect((words.match(/<details>/g) ?? []).length).toBe((words.match(/<\/details>/g) ?? []).length);
    expect(words.replace(/<summary>.*<\/summary>/g, '')).not.toMatch(/!\[[^\]]*\]\(/);
    expect(words.replace(/<summary>.*<\/summary>/g, '')).not.toMatch(/(?<!\\)\]\(javascript:/i);
  });
}

test('content too long for an event is exported in full, or marked as shortened', () => {
  const [first] = sampleEvents('x');
  const at = first?.at ?? '';
  const blob = { sha256: 'a'.repeat(64), bytes: 70_000 };
  const transcript = openTranscript([{ type: 'assistant.text', messageId: 'm', index: 0, text: 'head', seq: 1, at, blobs: { text: blob } }]);
  const content: ExportContent = { whole: () => undefined, picture: () => undefined, marks: () => undefined };
  expect(blocksOf(transcript, transcript.rows, content)).toMatchObject([{ text: 'head\n\n(shortened: it has 70000 bytes)' }]);
  expect(blocksOf(transcript, transcript.rows, { ...content, whole: () => 'head and tail' })).toMatchObject([{ text: 'head and tail' }]);
});

test('[R299] calls nested deeper than any agent nests them are counted, not followed', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const events = Array.from(
    { length: 3000 },
    (_, n): Event => ({
      type: 'tool.started',
      toolUseId: `u${n}`,
      name: 'Task',
      input: {},
      seq: n + 1,
      at,
      ...(n > 0 && { parentToolUseId: `u${n - 1}` }),
    }),
  );
  const transcript = openTranscript(events);
  const blocks = blocksOf(transcript, transcript.rows, { whole: () => undefined, picture: () => undefined, marks: () => undefined });
  expect(blocks.map(htmlOf).join('')).toContain('1 step nested too deep to show');
  expect(blocks.map(markdownOf).join('')).toContain('1 step nested too deep to show');
});

test('images are embedded in the file, or reported as left out', () => {
  const block = { kind: 'said', who: 'Ada', text: '', images: [{ bytes: 3, uri: 'data:image/png;base64,AAAA' }, { bytes: 9 }] } as const;
  expect(htmlOf(block)).toContain('<img alt="image" src="data:image/png;base64,AAAA"><p class="line">An image of 9 bytes was left out.</p>');
  expect(markdownOf(block)).toContain('![image](data:image/png;base64,AAAA)');
});

test('segments contain everything once, wherever they are cut', () => {
  const base = sampleEvents('x');
  const rounds = Array.from({ length: 400 }, (_, round) =>
    base.map((event) =>
      JSON.parse(
        JSON.stringify(event)
          .replace(/"(c1|t1|m1|m2|m3|u1|u2|u3|q1)"/g, (_all, id) => `"${id}-${round}"`)
          .replace('block:m3:0', `block:m3-${round}:0`),
      ),
    ),
  );
  const events = rounds.flat().map((event, index) => ({ ...event, seq: index + 1 }));
  const segments = new Segments();
  const closed = events.flatMap((event) => segments.add(event) ?? []);
  const keys = [...closed, segments.rest()].flatMap((transcript) => transcript.rows);
  expect(closed.length).toBeGreaterThan(10);
  expect(keys).toEqual(openTranscript(events).rows);
});

test('inherited events appear between their two boundary lines, however many there are', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const turn = (n: number) =>
    ({ type: 'turn.completed', turnId: `t${n}` as TurnId, stopReason: 'end_turn', isError: false, interrupted: false, denials: 0 }) as const;
  const events = Array.from({ length: 1500 }, (_, n): Event => ({ ...turn(n), seq: n + 1, at, ...(n < 900 && { inherited: true }) }));
  const segments = new Segments();
  const closed = events.flatMap((event) => segments.add(event) ?? []);
  const blocks = [...closed, segments.rest()].flatMap((each) =>
    blocksOf(each, each.rows, { whole: () => undefined, picture: () => undefined, marks: () => undefined }),
  );
  const borders = blocks.flatMap((block, index) => (block.kind === 'line' && block.tone === 'break' ? [[index, block.text]] : []));
  expect(borders).toEqual([
    [0, 'Before this session'],
    [901, 'This session starts here'],
  ]);
});
