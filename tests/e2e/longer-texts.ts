import type { Page } from 'playwright-core';

/**
 * Makes the texts of an English page a third longer, and accented, as in other languages.
 * @returns a function that restores the texts
 */
export const lengthenTexts = async (page: Page): Promise<() => Promise<void>> => {
  const restore = await page.evaluateHandle(() => {
    const accents: Record<string, string> = { a: 'áá', e: 'éé', i: 'íí', o: 'öö', u: 'üü' };
    const longer = (text: string) =>
      text.replaceAll(/[aeiou]/gi, (vowel) => {
        const accented = accents[vowel.toLowerCase()] ?? vowel;
        return vowel === vowel.toLowerCase() ? accented : accented.toUpperCase();
      });
    const undo: (() => void)[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      if (currentNode.parentElement?.closest('script, style, noscript')) continue;
      const { nodeValue } = currentNode;
      currentNode.nodeValue = longer(nodeValue ?? '');
      undo.push(() => {
        currentNode.nodeValue = nodeValue;
      });
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('[placeholder]')) {
      const { placeholder } = field;
      field.placeholder = longer(placeholder);
      undo.push(() => {
        field.placeholder = placeholder;
      });
    }
    return () => {
      for (const step of undo) step();
    };
  });
  return () => restore.evaluate((run) => run());
};
