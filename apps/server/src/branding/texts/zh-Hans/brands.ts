import type { LanguageTexts } from '../texts.ts';

export const brands: LanguageTexts['brands'] = {
  nickname: '点灯人',
  taglines: {
    aurelia: '一个账号，点亮家中每一盏灯。',
    borealis: '无论身在何处，灯光随你而动。',
  },
  scopes: {
    approvals: '在您于此应用中同意后，将其他应用关联到您的账号',
  },
};
