import { gzipSync } from 'node:zlib';
import { ms, quantile } from '../archive/measure.ts';
import { type Bench, nodesOf, openPage } from './pages.ts';
import { LONG } from './story.ts';

const KB = 1024;
/** The grammar of Markdown, and the part of it that the highlighting shares, come beside the rest, and are waited for by nobody: a session shows without them. */
const LATER = /\/(formatted-markdown|ccount)-/;

/** Opens a session of very many events again and again. */
export async function measureLong(bench: Bench, events: number, openings: number): Promise<void> {
  const taken: number[] = [];
  let nodes = 0;
  const bytes = await scriptBytes(bench);
  for (let opening = 0; opening < openings; opening++) {
    const opened = await openPage(bench, `s/${LONG}`);
    const { data, content } = await opened.firstContent();
    taken.push(content - data);
    nodes = Math.max(nodes, await nodesOf(opened.page));
    await opened.context.close();
  }
  taken.sort((a, b) => a - b);
  const [p50, worst] = [quantile(taken, 0.5), taken.at(-1) ?? Number.NaN];
  const { say } = bench;
  const kilobytes = (size: number): string => `${Math.round(size / KB)} KB`;
  say({ what: 'script before a session shows, compressed', ours: kilobytes(bytes.before), floor: '', asked: '≤ 200 KB', holds: bytes.before <= 200 * KB });
  say({ what: 'with the grammar of Markdown, which comes beside it', ours: kilobytes(bytes.whole), floor: '', asked: '' });
  say({ what: `${events} events, from data to first content`, ours: `${ms(p50)}, worst ${ms(worst)}`, floor: '', asked: '≤ 100 ms', holds: p50 <= 100 });
  say({ what: 'nodes of that page', ours: String(nodes), floor: '', asked: '< 3,000', holds: nodes < 3000 });
}

/** What comes later is held back until the session shows: so what has come by then is what it takes. An opening of its own: to fetch and pack every script costs time. */
async function scriptBytes(bench: Bench): Promise<{ readonly before: number; readonly whole: number }> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const scripts: Promise<number>[] = [];
  const came = async () => (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
  const opened = await openPage(bench, `s/${LONG}`, async (page) => {
    await page.route(LATER, (route) => held.then(() => route.continue()));
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body().then(compressed, () => 0));
    });
  });
  await opened.firstContent();
  const before = await came();
  release();
  await opened.page.locator('.transcript .markdown:not(.undrawn)').first().waitFor();
  const whole = await came();
  await opened.context.close();
  return { before, whole };
}

const compressed = (body: Buffer): number => gzipSync(body).length;
