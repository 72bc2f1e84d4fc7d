import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 level AA and best practice. axe checks the size of targets only when enabled. */
const options: RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
};

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What else was seen of a screen: a width has all its elements, a theme all its colours. */
interface Seen {
  width: boolean;
  theme: boolean;
}

/** What is left to see of a screen: at a new width all, in a new theme its colours, in each language its sizes. */
const optionsFor = ({ width, theme }: Seen): RunOptions => {
  if (!width) return options;
  return {
    runOnly: theme ? ['target-size'] : ['color-contrast', 'target-size'],
    resultTypes: ['violations'],
  };
};

interface AxeWindow {
  axe?: { run(context: Document, options: RunOptions): Promise<AxeResults> };
}

/**
 * The violations that axe finds in the current state of a page, each with its elements.
 * @param seen whether the same screen was seen at this width, and in this theme, in another language
 */
export const violationsOf = async (
  page: Page,
  seen: Seen = { width: false, theme: false },
): Promise<string[]> => {
  const look = (how: RunOptions) =>
    page.evaluate(async (options) => {
      const results = await (globalThis as AxeWindow).axe?.run(document, options);
      return results?.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      );
    }, how);
  const how = optionsFor(seen);
  const violations = await look(how);
  if (violations) return violations;
  // Load axe once for each document: it has half a megabyte, which takes most of the time.
  await page.evaluate(source);
  const found = await look(how);
  if (!found) throw new Error('axe did not run');
  return found;
};
