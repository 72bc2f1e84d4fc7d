import type { DeskAccount } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { Facts } from '../../components/facts.tsx';
import { Section } from '../../components/section.tsx';
import styles from './ways.module.css';

type Ways = DeskAccount['ways'];

const Passkeys = ({ passkeys }: Pick<Ways, 'passkeys'>) => {
  const { t } = useTranslation('desk');
  if (passkeys.length === 0) return t('desk.account.ways.none');
  return (
    <ul>
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id}>
          <Phrase
            text={(when) =>
              lastUsedAt
                ? t('desk.account.ways.passkeyUsed', { when, name })
                : t('desk.account.ways.passkeyNew', { when, name })
            }
          >
            <Moment at={lastUsedAt ?? createdAt} show="date" />
          </Phrase>
        </li>
      ))}
    </ul>
  );
};

const Factor = ({ factor, trustedBrowsers }: Ways) => {
  const { t } = useTranslation('desk');
  if (!factor) return t('desk.account.ways.factorOff');
  return (
    <>
      <p>
        <Phrase text={(when) => t('desk.account.ways.factorOn', { when })}>
          <Moment at={factor.since} show="date" />
        </Phrase>
      </p>
      <p>{t('desk.account.ways.codesLeft', { count: factor.recoveryCodesLeft })}</p>
      <p>{t('desk.account.ways.trusted', { count: trustedBrowsers })}</p>
    </>
  );
};

/** By what the person can sign in. */
export const Ways = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const { ways } = account;
  const password = ways.password ? (
    <Phrase text={(when) => t('desk.account.ways.passwordChanged', { when })}>
      <Moment at={ways.password.changedAt} show="date" />
    </Phrase>
  ) : (
    t('desk.account.ways.none')
  );
  return (
    <Section name="ways" title={t('desk.account.sections.ways')}>
      <div className={styles.ways}>
        <Facts
          facts={[
            [t('desk.account.ways.password'), password],
            [t('desk.account.ways.passkeys'), <Passkeys key="passkeys" passkeys={ways.passkeys} />],
            [t('desk.account.ways.factor'), <Factor key="factor" {...ways} />],
          ]}
        />
      </div>
    </Section>
  );
};
