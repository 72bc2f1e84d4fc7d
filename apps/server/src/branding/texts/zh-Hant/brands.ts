import type { LanguageTexts } from '../texts.ts';

export const brands: LanguageTexts['brands'] = {
  nickname: '點燈人',
  taglines: {
    aurelia: '一個帳號，點亮家中每一盞燈。',
    borealis: '無論身在何處，燈光隨你而動。',
  },
  scopes: {
    approvals: '在您於此應用程式中同意後，將其他應用程式連結至您的帳號',
  },
};
