import type { LanguageTexts } from '../texts.ts';

/** The digits that a caller reads to whoever answers the phone. */
export const callerDigits: LanguageTexts['security']['callerDigits'] = {
  title: '通話用的兩位數字',
  text: '如果您正在致電我們，請把這兩位數字讀給接聽的客服：',
  warning: '如果您沒有在與我們通話，或是對方打給您，請勿告訴任何人。',
  until: '有效至 {{when}}',
};
