import type { Page } from 'playwright-core';

const accents: Record<string, string> = {
  a: 'áá',
  e: 'éé',
  i: 'íí',
  o: 'öö',
  u: 'üü',
  A: 'ÁÁ',
  E: 'ÉÉ',
  I: 'ÍÍ',
  O: 'ÖÖ',
  U: 'ÜÜ',
};

/** A third longer and accented, but for what is filled in, markup, and the word that the screens are driven by. */
export const pseudo = (text: string): string =>
  text.replaceAll(/\{\{.*?\}\}|<[^>]*>|e-mail|[aeiou]/gi, (part) => accents[part] ?? part);

const transformed = (source: string): string => {
  const exported = /export\s*\{\s*(\w+) as (\w+)\s*\}/.exec(source);
  if (!exported) throw new Error('this is not a catalogue');
  const [statement, inner, name] = exported;
  return `${source.replace(statement, '')}
const accents = ${JSON.stringify(accents)};
const pseudo = (text) => text.replaceAll(/\\{\\{.*?\\}\\}|<[^>]*>|e-mail|[aeiou]/gi, (part) => accents[part] ?? part);
const longer = (texts) => Object.fromEntries(Object.entries(texts).map(([key, value]) =>
  [key, typeof value === 'string' ? pseudo(value) : longer(value)]));
const all = longer(${inner});
export { all as ${name} };`;
};

/** Serves this page an English that is longer and accented, as no build does. */
export const speakPseudo = async (page: Page): Promise<void> => {
  await page.route(/\/prod\/user\/en-[^/]*\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: transformed(await answer.text()) });
  });
};
