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

/** The data that the server wrote into this page. A page without that data, as in a test, has defaults. */
export const boot: Boot = readBoot();

/**
 * A complete document that the server put into the page, for readers without JavaScript too. React clears the page
 * when it starts, so the element is kept here.
 */
export const servedDocument: HTMLElement | null = document.getElementById('document');
