import type { LanguageTexts } from '../texts.ts';

/** The digits that a caller reads to whoever answers the phone. */
export const callerDigits: LanguageTexts['security']['callerDigits'] = {
  title: 'Две цифры для звонка',
  text: 'Если вы сейчас звоните нам, назовите эти цифры сотруднику:',
  warning: 'Если вы не говорите с нами по телефону или если позвонили вам, никому их не называйте.',
  until: 'До {{when}}',
};
