import type { DeviceOutcome } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Actions } from '../../../shell/components/actions.tsx';
import column from '../../../shell/components/column.module.css';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import linkButton from '../../components/link-button.module.css';
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
  const { t } = useTranslation('account');
  useLamp(light);
  return (
    <div className={column.column}>
      <PageHeading title={t(title)} />
      <p className={prose.lead}>{t(text)}</p>
      <Actions>
        <a className={linkButton.quiet} href="/device">
          {t(again)}
        </a>
        <a className={linkButton.quiet} href={leave.to}>
          {t(leave.label)}
        </a>
      </Actions>
    </div>
  );
};

/** The page that connects a device without a browser. The server puts the outcome into the address. */
export const DevicePage = () => {
  const [search] = useSearchParams();
  const outcome = search.get('outcome');
  if (outcome === 'connected' || outcome === 'denied') return <Outcome {...outcomes[outcome]} />;
  return <CodeForm search={search} />;
};
