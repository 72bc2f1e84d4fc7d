import type { Account } from '@candela/contract';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { bring } from '../../../bring.ts';
import { ChunkBoundary } from '../../../chunk/chunk-boundary.tsx';
import { part } from '../../../chunk/part.tsx';
import card from '../../../components/card.module.css';
import { PasswordRow } from '../password-row.tsx';
import type { Setting } from '../setting.ts';
import { SettingRow } from '../setting-row.tsx';
import styles from './ways-section.module.css';

const WayRows = part(async () => (await bring(() => import('./way-rows.tsx'))).WayRows);

/** The rows without their values, of the same height. */
const Waiting = () => {
  const { t } = useTranslation('account');
  return (
    <dl>
      <SettingRow id="passkeys" label={t('ways.passkeys.label')} actions={[]}>
        {null}
      </SettingRow>
      <SettingRow id="second-step" label={t('ways.step.label')} actions={[]}>
        {null}
      </SettingRow>
    </dl>
  );
};

interface WaysSectionProps {
  account: Account;
  onOpen: (setting: Setting) => void;
}

/** The ways to sign in: the password, passkeys, and the second step. All but the password loads later. */
export const WaysSection = ({ account, onOpen }: WaysSectionProps) => {
  const { t } = useTranslation('account');
  return (
    <section aria-labelledby="ways" className={styles.section}>
      <h2 id="ways">{t('ways.title')}</h2>
      <div className={`${card.card} ${styles.rows}`}>
        <dl>
          <PasswordRow account={account} onOpen={() => onOpen('password')} />
        </dl>
        <ChunkBoundary>
          <Suspense fallback={<Waiting />}>
            <WayRows account={account} waiting={<Waiting />} onOpen={onOpen} />
          </Suspense>
        </ChunkBoundary>
      </div>
    </section>
  );
};
