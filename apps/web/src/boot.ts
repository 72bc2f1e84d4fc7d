import type { Boot } from '@candela/contract';
import { locales, matchLocale } from '@candela/contract/languages';

const withoutServer = (): Boot => ({
  brand: {
    id: 'candela',
    name: 'Candela',
  },
  locale: matchLocale(navigator.languages) ?? locales[0],
  passwordProfile: 'product',
});

const readBoot = (): Boot => {
  const text = document.getElementById('boot')?.textContent;
  return text ? (JSON.parse(text) as Boot) : withoutServer();
};

/** What the server wrote into this page. */
export const boot: Boot = readBoot();

/**
 * A document that the server has put into the page, complete, for readers without JavaScript too. React
 * clears the page when it starts: this keeps hold of it.
 */
export const servedDocument: HTMLElement | null = document.getElementById('document');
