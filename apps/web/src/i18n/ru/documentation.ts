import type { LanguageTexts } from '../texts.ts';

export const documentation: LanguageTexts['developers']['documentation'] = {
  title: 'Документация',
  english: 'Документация на английском языке.',
  presets: 'Какой вид подходит мне?',
  error: 'Что означает эта ошибка',
};
