import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 level AA, and best practice; the size of targets is off unless it is asked for. */
const options: RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
};

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeWindow {
  axe?: { run(context: Document, options: RunOptions): Promise<AxeResults> };
}

/** What axe finds wrong with a page as it stands there, each with the elements that have it. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  // Once for each document: it is half a megabyte, and most of the time that a run takes.
  if (await page.evaluate(() => (globalThis as AxeWindow).axe === undefined)) await page.evaluate(source);
  const violations = await page.evaluate(
    async (how) => (await (globalThis as AxeWindow).axe?.run(document, how))?.violations,
    options,
  );
  if (!violations) throw new Error('axe did not run');
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
};
