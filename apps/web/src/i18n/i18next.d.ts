import 'i18next';
import type { account } from './en/account.ts';
import type { developers } from './en/developers.ts';
import type { flow } from './en/flow.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'flow';
    /** `useTranslation()` knows the texts that every page has; `useTranslation('account')` the account’s too. */
    resources: {
      flow: typeof flow;
      account: typeof flow & typeof account;
      developers: typeof flow & typeof account & typeof developers;
    };
    returnNull: false;
  }
}
