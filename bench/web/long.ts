import { gzipSync } from 'node:zlib';
import { ms, quantile } from '../archive/measure.ts';
import { type Bench, nodesOf, openPage } from './pages.ts';
import { LONG } from './sample-streams.ts';

const KB = 1024;
/** The Markdown parser, and the part of it that highlighting shares, load in parallel. Nothing waits for them: a session is shown without them first. */
const LATER = /\/(formatted-markdown|ccount)-/;

/** Opens a very long session repeatedly. */
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
  say({
    what: 'script loaded before a session is shown, compressed',
    ours: kilobytes(bytes.before),
    floor: '',
    target: '≤ 200 KB',
    holds: bytes.before <= 200 * KB,
  });
  say({ what: 'including the Markdown parser, loaded in parallel', ours: kilobytes(bytes.whole), floor: '', target: '' });
  say({ what: `${events} events, from data to first content`, ours: `${ms(p50)}, worst ${ms(worst)}`, floor: '', target: '≤ 100 ms', holds: p50 <= 100 });
  say({ what: 'nodes of that page', ours: String(nodes), floor: '', target: '< 3,000', holds: nodes < 3000 });
}

/** Holds back the later scripts until the session is shown, so that only the required ones are counted. Uses a separate page load, because fetching and compressing every script takes time. */
async function scriptBytes(bench: Bench): Promise<{ readonly before: number; readonly whole: number }> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const scripts: Promise<number>[] = [];
  const loadedBytes = async () => (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
  const opened = await openPage(bench, `s/${LONG}`, async (page) => {
    await page.route(LATER, (route) => held.then(() => route.continue()));
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body().then(compressed, () => 0));
    });
  });
  await opened.firstContent();
  const before = await loadedBytes();
  release();
  await opened.page.locator('.transcript .markdown:not(.undrawn)').first().waitFor();
  const whole = await loadedBytes();
  await opened.context.close();
  return { before, whole };
}

const compressed = (body: Buffer): number => gzipSync(body).length;
