import type { CodePurpose } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { gap } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import type { CodeTimer } from './code-timer.ts';

const triesBeforeHelp = 2;
/** What helps depends on whether the contact was typed, and on whether there is another way. */
const help = {
  login: 'code.noCodeLogin',
  register: 'code.noCode',
  recover: 'code.noCode',
  bind: 'code.noCode',
  'step-up': 'code.noCodeKnown',
} as const;

/** The minutes a code still works. */
const minutesLeft = (expiresAt: number): number => Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));

/** What to say below a code field: where the code went, how long it works, what to do when it does not come. */
export const useCodeHint = (
  purpose: CodePurpose,
  timer: CodeTimer | undefined,
  identifier: string | undefined,
): string | undefined => {
  const { t } = useTranslation();
  const locale = useLocale();
  if (!timer || !identifier || timer.spent) return undefined;
  return [
    // Where registration asks for the code, its page has said so above.
    purpose === 'login' && t('code.sent', { identifier: wholeIdentifier(identifier) }),
    t('code.valid', { minutes: minutesLeft(timer.expiresAt) }),
    timer.sent > 1 && t('code.replaced'),
    timer.sent >= triesBeforeHelp && t(help[purpose]),
  ]
    .filter(Boolean)
    .join(gap(locale));
};
