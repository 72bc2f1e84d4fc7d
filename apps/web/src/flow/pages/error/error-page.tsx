import type { PageError } from '@candela/contract';
import { HOME_PAGE } from '@candela/contract/pages';
import { useTranslation } from 'react-i18next';
import { boot } from '../../../shell/boot.ts';
import { Actions } from '../../../shell/components/actions.tsx';
import column from '../../../shell/components/column.module.css';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { formatDistance } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import linkButton from '../../components/link-button.module.css';
import { ErrorReference } from './error-reference.tsx';

const retryable: readonly PageError['code'][] = ['rate_limited', 'unavailable', 'internal_error'];

const WayOn = ({ error }: { error: PageError | undefined }) => {
  const { t } = useTranslation('account');
  const startAgain = error?.startAgain;
  const canRetry = error && retryable.includes(error.code);
  const signsIn = error?.code === 'sign_in_failed';
  const first = startAgain || canRetry;
  const isHome = startAgain?.uri === location.origin + HOME_PAGE;
  return (
    <Actions>
      {startAgain && (
        <a className={linkButton.button} href={startAgain.uri}>
          {t(error.code === 'interaction_finished' ? 'error.backToApp' : 'error.startAgain', {
            app: startAgain.name,
          })}
        </a>
      )}
      {canRetry && (
        <a className={linkButton.button} href={location.href}>
          {t('error.retry')}
        </a>
      )}
      {!isHome && (
        <a className={first ? linkButton.quiet : linkButton.button} href={signsIn ? '/login' : HOME_PAGE}>
          {signsIn ? t('login.submit') : t('error.toAccount')}
        </a>
      )}
    </Actions>
  );
};

const ErrorScreen = ({ error }: { error: PageError | undefined }) => {
  const { t } = useTranslation('account');
  useLamp(error ? 0 : 0.4);
  const locale = useLocale();
  const wait = error?.retryAfterSeconds;
  const title = error ? t(`pageErrors.${error.code}.title`) : t('error.calmTitle');
  return (
    <div className={column.column}>
      <PageHeading title={title} invalid={Boolean(error)} />
      <p className={prose.lead}>{error ? t(`pageErrors.${error.code}.text`) : t('error.calmText')}</p>
      {error?.code === 'interaction_expired' && !error.startAgain && (
        <p className={prose.lead}>{t('error.fromApp')}</p>
      )}
      {wait && <p>{t('error.retryWhen', { when: formatDistance(wait, locale) })}</p>}
      <WayOn error={error} />
      {error?.requestId && <ErrorReference error={error} />}
    </div>
  );
};

/** Shows the error that the server wrote into the page. The page opened by hand has no error. */
export const ErrorPage = () => <ErrorScreen error={boot.error} />;

/** The page for an unknown address. */
export const NotFoundPage = () => (
  <ErrorScreen error={boot.error ?? { code: 'not_found', status: 404, requestId: '' }} />
);
