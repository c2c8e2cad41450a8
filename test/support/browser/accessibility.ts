import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

interface Audit {
  /** Only these rules. */
  readonly rules?: readonly string[];
  /** Only elements inside this selector. */
  readonly within?: string;
}

/** The themes differ only in color, so the light one is checked for contrast only. */
export async function accessibilityViolationsInBothThemes(page: Page): Promise<readonly string[]> {
  await showIn(page, 'light');
  const light = await accessibilityViolations(page, { rules: ['color-contrast'] });
  await showIn(page, 'dark');
  return [...light.map((barrier) => `light: ${barrier}`), ...(await accessibilityViolations(page))];
}

/** In the middle of a transition a color is neither the old nor the new one. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : [])));
  });
}

/** Serious accessibility violations: the broken rule and the first elements that break it. */
export async function accessibilityViolations(page: Page, { rules, within }: Audit = {}): Promise<readonly string[]> {
  await injectAxe(page);
  // Legacy mode runs in the page itself, which has no frames. Otherwise each audit opens another page to merge the results of frames.
  const audit = new AxeBuilder({ page, axeSource: NO_SOURCE }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (rules !== undefined) audit.withRules([...rules]);
  if (within !== undefined) audit.include(within);
  const { violations } = await audit.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id} ${html.slice(0, 200)}`));
}

/** AxeBuilder would inject the unminified axe-core twice per audit, which is a third of an audit's cost. We inject the minified one once. */
const AXE = readFileSync(createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');
const NO_SOURCE = 'undefined';

async function injectAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
}
