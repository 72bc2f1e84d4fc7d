import type { DeviceOutcome } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Actions } from '../../components/actions.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import stack from '../../components/stack.module.css';
import { useLamp } from '../../frame/flow-frame.tsx';
import { CodeForm } from './code-form.tsx';

const outcomes = {
  connected: {
    light: 1,
    title: 'devicePage.connectedTitle',
    text: 'devicePage.connectedText',
    again: 'devicePage.another',
    leave: { to: '/tokens', label: 'devicePage.tokens' },
  },
  denied: {
    light: 0,
    title: 'devicePage.deniedTitle',
    text: 'devicePage.deniedText',
    again: 'devicePage.again',
    leave: { to: '/index', label: 'error.toAccount' },
  },
} as const satisfies Record<DeviceOutcome, object>;

const Outcome = ({ light, title, text, again, leave }: (typeof outcomes)[DeviceOutcome]) => {
  const { t } = useTranslation();
  useLamp(light);
  return (
    <div className={stack.stack}>
      <PageHeading title={t(title)} />
      <p className={stack.lead}>{t(text)}</p>
      <Actions>
        <a className={stack.quietButton} href="/device">
          {t(again)}
        </a>
        <a className={stack.quietButton} href={leave.to}>
          {t(leave.label)}
        </a>
      </Actions>
    </div>
  );
};

/** Where somebody answers for a device that has no browser of its own; the server says in the address how it went. */
export const DevicePage = () => {
  const [search] = useSearchParams();
  const outcome = search.get('outcome');
  if (outcome === 'connected' || outcome === 'denied') return <Outcome {...outcomes[outcome]} />;
  return <CodeForm search={search} />;
};
