import { type Bench, nodesOf, openPage } from './pages.ts';
import { reportTasks, tasksWhile } from './tasks.ts';

const STEPS = 60;
const STEP_PX = 2000;

/** Scrolls through a very long list of sessions, one step per frame. */
export async function measureList(bench: Bench, sessions: number): Promise<void> {
  const { page, cdp, context } = await openPage(bench, 'sessions');
  const list = page.getByRole('region', { name: 'Sessions' });
  await page.locator('.list-row').first().waitFor();
  let nodes = 0;
  const tasks = await tasksWhile(cdp, async () => {
    for (let step = 0; step < STEPS; step++) {
      await list.evaluate((area, by) => area.scrollBy(0, by), STEP_PX);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      nodes = Math.max(nodes, await nodesOf(page));
    }
  });
  reportTasks(bench.say, `scrolling ${sessions} sessions, tasks p99`, tasks);
  bench.say({ what: 'nodes of that page', ours: String(nodes), floor: '', target: '< 3,000', holds: nodes < 3000 });
  await context.close();
}
