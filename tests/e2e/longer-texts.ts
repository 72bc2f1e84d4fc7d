import type { Page } from 'playwright-core';

/** Makes what an English page says a third longer, and accented, as another language may be. */
export const lengthenTexts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const accents: Record<string, string> = { a: 'áá', e: 'éé', i: 'íí', o: 'öö', u: 'üü' };
    const longer = (text: string) =>
      text.replaceAll(/[aeiou]/gi, (vowel) => {
        const accented = accents[vowel.toLowerCase()] ?? vowel;
        return vowel === vowel.toLowerCase() ? accented : accented.toUpperCase();
      });
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      if (currentNode.parentElement?.closest('script, style, noscript')) continue;
      currentNode.textContent = longer(currentNode.textContent ?? '');
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('[placeholder]')) {
      field.placeholder = longer(field.placeholder);
    }
  });
