import type { Page } from 'playwright-core';

/** Finds a page wider than its window, texts that are cut off, and texts that overflow their control. */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults = new Set<string>();
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.add(`the page is ${scrollWidth} px wide in ${clientWidth}`);

    const isOutside = (text: DOMRect, box: DOMRect) =>
      text.left < box.left - 1 ||
      text.right > box.right + 1 ||
      text.top < box.top - 3 ||
      text.bottom > box.bottom + 3;
    const faultOf = (text: DOMRect, element: Element): string | undefined => {
      if (text.left < -1 || text.right > innerWidth + 1) return 'leaves the window';
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        const { overflowX, display } = getComputedStyle(box);
        const isControl = box.matches('button, a, [role=tab]') && display !== 'inline';
        if (!isOutside(text, box.getBoundingClientRect())) continue;
        if (['hidden', 'clip'].includes(overflowX)) return `is cut off by ${box.tagName}.${box.className}`;
        if (isControl) return `runs out of ${box.tagName}.${box.className}`;
      }
      return undefined;
    };
    const isDrawn = (element: Element) => {
      if (element.closest('script, style, noscript, select')) return false;
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      for (let box: Element | null = element; box; box = box.parentElement) {
        if (getComputedStyle(box).clipPath !== 'none') return false;
      }
      return true;
    };

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      const element = currentNode.parentElement;
      if (!currentNode.textContent?.trim() || !element || !isDrawn(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(currentNode);
      for (const rect of range.getClientRects()) {
        const fault = rect.width > 0 && faultOf(rect, element);
        if (fault) faults.add(`"${currentNode.textContent.slice(0, 60)}" ${fault}`);
      }
    }
    for (const box of document.querySelectorAll('body *')) {
      const { overflowX } = getComputedStyle(box);
      if (['auto', 'scroll'].includes(overflowX) && box.scrollWidth > box.clientWidth + 1) {
        faults.add(`${box.tagName}.${box.className} scrolls sideways`);
      }
    }
    return [...faults];
  });

/**
 * Widens the text spacing of a page (WCAG 1.4.12).
 * @returns a function that restores the spacing
 */
export const spaceText = async (page: Page): Promise<() => Promise<void>> => {
  const sheet = await page.evaluateHandle(() => {
    const spacing = new CSSStyleSheet();
    spacing.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' +
        'p { margin-block-end: 2em !important }',
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, spacing];
    return spacing;
  });
  return () =>
    sheet.evaluate((spacing) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== spacing);
    });
};
