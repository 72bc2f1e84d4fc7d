import { createBrandTextsSchema } from '../../branding/brand/brand-texts.ts';
import { readPageCatalog } from '../../branding/brand/page-catalog.ts';
import { keepWordsInForce } from '../../branding/brand-words/words-in-force.ts';
import { messageTexts } from '../../person/delivery/message-texts.ts';
import type { Foundation } from './foundation.ts';
import type { WiredStorage } from './storage.ts';

export type WiredWords = Awaited<ReturnType<typeof wireWords>>;

/** The brands with their words in force, and what words are checked by. */
export const wireWords = async (
  { config, connection, logger }: Pick<Foundation, 'config' | 'connection' | 'logger'>,
  { changes }: Pick<WiredStorage, 'changes'>,
  webDist: string,
) => {
  const catalog = { messages: messageTexts, pages: readPageCatalog(webDist) };
  const schema = createBrandTextsSchema(catalog);
  const fileBrands = config.brands;
  const words = await keepWordsInForce({ db: connection.db, brands: fileBrands, schema, changes, logger });
  return { ...words, fileBrands, catalog, schema };
};
