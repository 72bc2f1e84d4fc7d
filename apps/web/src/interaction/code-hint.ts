import { useTranslation } from 'react-i18next';
import { displayIdentifier } from '../identifier/dial-code.ts';
import type { CodeTimer } from './code-timer.ts';

/** What to say below a code field: where the code went, and what to do when it does not come. */
export const useCodeHint = (timer: CodeTimer | undefined, identifier: string | undefined) => {
  const { t } = useTranslation();
  if (!timer || !identifier) return undefined;
  const minutes = Math.max(1, Math.round((timer.expiresAt - Date.now()) / 60_000));
  const sent = t('code.sent', { identifier: displayIdentifier(identifier), minutes });
  return timer.sent > 1 ? `${sent} ${t('code.noCode')}` : sent;
};
