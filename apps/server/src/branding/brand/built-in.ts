import { byLocale } from '@candela/contract';
import { textsOf } from '../texts/texts.ts';
import type { BrandTemplate } from './brand.ts';

/** The two example brands; neither is a real company. */
export const builtInBrands: readonly [BrandTemplate, ...BrandTemplate[]] = [
  {
    id: 'aurelia',
    name: 'Aurelia',
    marker: 'aurelia',
    tagline: byLocale((locale) => textsOf(locale).brands.taglines.aurelia),
    tokens: {
      light: {
        page: '#FBF7F1',
        surface: '#FFFFFF',
        ink: '#221A12',
        muted: '#6A5D4F',
        line: '#E6DCCF',
        fieldBorder: '#8C7C6A',
        accent: '#9A4B00',
        onAccent: '#FFFFFF',
        soft: '#FCEBD3',
        danger: '#B3261E',
        ok: '#1F6B3A',
        glow: '255 184 92',
      },
      dark: {
        page: '#14100C',
        surface: '#1F1913',
        ink: '#F6EDE2',
        muted: '#B9A996',
        line: '#3A3027',
        fieldBorder: '#86776A',
        accent: '#FFB454',
        onAccent: '#2A1600',
        soft: '#3A2712',
        danger: '#FFB4AB',
        ok: '#86D79C',
        glow: '255 180 84',
      },
    },
  },
  {
    id: 'borealis',
    name: 'Borealis',
    marker: 'borealis',
    tagline: byLocale((locale) => textsOf(locale).brands.taglines.borealis),
    tokens: {
      light: {
        page: '#F3F8F8',
        surface: '#FFFFFF',
        ink: '#0F1D22',
        muted: '#4C6068',
        line: '#D5E2E4',
        fieldBorder: '#6C8288',
        accent: '#006A72',
        onAccent: '#FFFFFF',
        soft: '#D7F1F1',
        danger: '#B3261E',
        ok: '#1F6B3A',
        glow: '80 210 205',
      },
      dark: {
        page: '#0B1416',
        surface: '#132024',
        ink: '#E6F3F4',
        muted: '#9DB4B9',
        line: '#26383D',
        fieldBorder: '#6F878D',
        accent: '#5FE0D8',
        onAccent: '#00302F',
        soft: '#0F3436',
        danger: '#FFB4AB',
        ok: '#86D79C',
        glow: '95 224 216',
      },
    },
  },
];
