import type { LanguageTexts } from '../texts.ts';

/** The digits that a caller reads to whoever answers the phone. */
export const callerDigits: LanguageTexts['security']['callerDigits'] = {
  title: '通话用的两位数字',
  text: '如果您正在致电我们，请把这两位数字读给接听的客服：',
  warning: '如果您没有在与我们通话，或是对方打给您，请勿告诉任何人。',
  until: '有效至 {{when}}',
};
