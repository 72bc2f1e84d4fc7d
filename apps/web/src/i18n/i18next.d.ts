import 'i18next';
import type { account } from './en/account.ts';
import type { flow } from './en/flow.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'flow';
    /** `useTranslation()` knows the texts that every page has; `useTranslation('account')` knows all texts. */
    resources: { flow: typeof flow; account: typeof flow & typeof account };
    returnNull: false;
  }
}
