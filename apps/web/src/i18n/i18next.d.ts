import 'i18next';
import type { en } from './en.ts';
import type { enMore } from './en-more.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en & typeof enMore };
    returnNull: false;
  }
}
