import type { LanguageTexts } from '../texts.ts';

export const documentation: LanguageTexts['developers']['documentation'] = {
  title: '說明文件',
  english: '說明文件為英文。',
  presets: '我的應用程式是哪一種？',
  error: '這個錯誤的意思',
};
