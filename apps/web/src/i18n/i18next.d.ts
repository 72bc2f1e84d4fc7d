import 'i18next';
import type { account } from './en/account.ts';
import type { activity } from './en/activity.ts';
import type { desk } from './en/desk.ts';
import type { developers } from './en/developers.ts';
import type { flow } from './en/flow.ts';
import type { providers } from './en/providers.ts';
import type { security } from './en/security.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'flow';
    /** `useTranslation()` knows the texts that every page has; `useTranslation('account')` the account’s too. */
    resources: {
      flow: typeof flow;
      account: typeof flow & typeof account;
      security: typeof flow & typeof account & typeof security;
      activity: typeof flow & typeof account & typeof activity;
      developers: typeof flow & typeof account & typeof developers;
      desk: typeof flow & typeof account & typeof desk;
      providers: typeof flow & typeof providers;
    };
    returnNull: false;
  }
}
