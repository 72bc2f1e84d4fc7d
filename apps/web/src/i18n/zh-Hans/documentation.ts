import type { LanguageTexts } from '../texts.ts';

export const documentation: LanguageTexts['developers']['documentation'] = {
  title: '文档',
  english: '文档为英文。',
  presets: '我的应用是哪一种？',
  error: '这个错误的含义',
};
