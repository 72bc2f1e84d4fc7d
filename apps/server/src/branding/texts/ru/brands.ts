import type { LanguageTexts } from '../texts.ts';

export const brands: LanguageTexts['brands'] = {
  nickname: 'Фонарщик',
  taglines: {
    aurelia: 'Один аккаунт для всего света в доме.',
    borealis: 'Ваш свет — где бы вы ни были.',
  },
  scopes: {
    approvals: 'подключать к вашему аккаунту другие приложения, когда вы разрешаете это в этом приложении',
  },
};
