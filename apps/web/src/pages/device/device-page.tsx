import type { DeviceOutcome } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { useLamp } from '../../components/flow-frame.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import stack from '../../components/stack.module.css';
import { CodeForm } from './code-form.tsx';

const Connected = () => {
  const { t } = useTranslation();
  useLamp(1);
  return (
    <div className={stack.stack}>
      <PageHeading title={t('connect.connectedTitle')} />
      <p className={stack.lead} role="status">
        {t('connect.connectedText')}
      </p>
      <Actions>
        <a className={stack.quietButton} href="/device">
          {t('connect.another')}
        </a>
        <a className={stack.quietButton} href="/tokens">
          {t('connect.tokens')}
        </a>
      </Actions>
    </div>
  );
};

const Denied = () => {
  const { t } = useTranslation();
  useLamp(0);
  return (
    <div className={stack.stack}>
      <PageHeading title={t('connect.deniedTitle')} />
      <p className={stack.lead} role="status">
        {t('connect.deniedText')}
      </p>
      <Actions>
        <a className={stack.quietButton} href="/device">
          {t('connect.again')}
        </a>
        <a className={stack.quietButton} href="/index">
          {t('error.toAccount')}
        </a>
      </Actions>
    </div>
  );
};

/** Where somebody answers for a device that has no browser of its own; the server says in the address how it went. */
export const DevicePage = () => {
  const [search] = useSearchParams();
  const outcome = search.get('outcome') as DeviceOutcome | null;
  if (outcome === 'connected') return <Connected />;
  return outcome === 'denied' ? <Denied /> : <CodeForm search={search} />;
};
