import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

interface Audit {
  /** Only these rules. */
  readonly rules?: readonly string[];
  /** Only what lies in this part. */
  readonly within?: string;
}

/** Another theme is other colours, and nothing else: what has to do with them is looked at in both. */
export async function barriersInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await barriersOf(page, { rules: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light.map((barrier) => `light: ${barrier}`), ...(await barriersOf(page))];
}

/** What keeps people out, by the rule that it breaks and the first places where it does; of serious barriers only. */
export async function barriersOf(page: Page, { rules, within }: Audit = {}): Promise<readonly string[]> {
  await bringAuditor(page);
  // In the page itself, which has no frames: else another page is opened each time, to put together what frames have told.
  const audit = new AxeBuilder({ page, axeSource: NOTHING_MORE }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (rules !== undefined) audit.withRules([...rules]);
  if (within !== undefined) audit.include(within);
  const { violations } = await audit.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id} ${html.slice(0, 200)}`));
}

/** The one that AxeBuilder has, which would bring it twice for each audit, and not the smaller one: a third of what an audit costs. */
const AUDITOR = readFileSync(createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');
const NOTHING_MORE = 'undefined';

async function bringAuditor(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AUDITOR);
}
