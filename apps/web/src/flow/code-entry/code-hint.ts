import type { CodePurpose } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import type { CodeTimer } from './code-timer.ts';

const triesBeforeHelp = 2;
/** Advice for a code that does not come, by whether the person typed the contact and has an alternative. */
const help = {
  login: 'code.noCodeLogin',
  register: 'code.noCode',
  recover: 'code.noCode',
  bind: 'code.noCode',
  'step-up': 'code.noCodeKnown',
} as const;

/** The minutes until the code expires, at least 1. */
const minutesLeft = (expiresAt: number): number => Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));

/** The hint below a code field: the receiver of the code, its lifetime, and advice for a code that does not come. */
export const useCodeHint = (
  purpose: CodePurpose,
  timer: CodeTimer | undefined,
  identifier: string | undefined,
): string | undefined => {
  const { t } = useTranslation();
  const locale = useLocale();
  if (!timer || !identifier || timer.spent) return undefined;
  return [
    // The page of the registration names the receiver above the form.
    purpose === 'login' && t('code.sent', { identifier: wholeIdentifier(identifier) }),
    t('code.valid', { minutes: minutesLeft(timer.expiresAt) }),
    timer.sent > 1 && t('code.replaced'),
    timer.sent >= triesBeforeHelp && t(help[purpose]),
  ]
    .filter(Boolean)
    .join(gap(locale));
};
