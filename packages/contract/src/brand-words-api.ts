import { deskErrors } from './desk-api.ts';
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import {
  BrandWordsChanged,
  ChangeBrandWords,
  DeskBrand,
  DeskBrandHistory,
  DeskBrandList,
  DeskBrandQuery,
  RestoreBrandWords,
} from './schemas/brand-words.ts';
import { Page } from './schemas/session.ts';

const changeErrors = [
  ...deskErrors,
  'reason_blank',
  'reason_too_long',
  'step_up_required',
  'nothing_to_do',
  'words_changed',
] as const satisfies readonly ErrorCode[];

const staff = { auth: 'staff', role: 'operator' } as const;

/** The endpoints of the words that brands say in place of those of their file. */
export const brandWordsApi = {
  listDeskBrands: endpoint({
    ...staff,
    method: 'GET',
    path: '/api/desk/brands',
    response: DeskBrandList,
    errors: deskErrors,
    summary: 'The brands that are served, each with the version of its words',
  }),
  getDeskBrand: endpoint({
    ...staff,
    method: 'GET',
    path: '/api/desk/brands/:brand',
    query: DeskBrandQuery,
    response: DeskBrand,
    errors: deskErrors,
    summary: 'The words of a brand beside those of its file, and every text that they may replace',
  }),
  changeBrandWords: endpoint({
    ...staff,
    method: 'PATCH',
    path: '/api/desk/brands/:brand',
    body: ChangeBrandWords,
    response: BrandWordsChanged,
    errors: [
      ...changeErrors,
      'words_invalid',
      'word_unknown',
      'word_blank',
      'word_too_long',
      'word_placeholder_unknown',
      'word_placeholder_missing',
      'word_forbidden',
    ],
    summary: 'Put words in force as the next version, on every process within seconds',
  }),
  listBrandWordsHistory: endpoint({
    ...staff,
    method: 'GET',
    path: '/api/desk/brands/:brand/history',
    query: Page,
    response: DeskBrandHistory,
    errors: deskErrors,
    summary: 'The versions of the words of a brand, the newest first',
  }),
  restoreBrandWords: endpoint({
    ...staff,
    method: 'POST',
    path: '/api/desk/brands/:brand/restore',
    body: RestoreBrandWords,
    response: BrandWordsChanged,
    errors: changeErrors,
    summary: 'Put an earlier version in force again as the next one, or the words of the file alone',
  }),
};
