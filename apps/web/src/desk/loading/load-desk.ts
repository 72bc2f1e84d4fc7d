import type { ComponentType } from 'react';
import type { LanguageTexts } from '../../i18n/texts.ts';
import { addTextFiles, loadTextsBeside } from '../../shell/language/i18n.ts';
import { Desk } from '../desk.tsx';

// The names of the files are relative: this file is as deep in its room as the one that they are added to.
addTextFiles(import.meta.glob<Partial<LanguageTexts>>('../../i18n/*/desk.ts'));

/** The desk with its texts. */
export const loadDesk = async (): Promise<ComponentType> => {
  await loadTextsBeside('desk');
  return Desk;
};
