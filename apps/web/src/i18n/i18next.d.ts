import 'i18next';
import type { enMore } from './en/account.ts';
import type { en } from './en/flow.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en & typeof enMore };
    returnNull: false;
  }
}
