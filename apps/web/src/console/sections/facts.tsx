import type { RegisteredClient } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../flow/components/copy-button.tsx';
import { Moment } from '../../flow/components/moment.tsx';
import card from '../../portal/components/card.module.css';
import { boot } from '../../shell/boot.ts';
import { Section } from '../section.tsx';
import styles from './facts.module.css';

const Fact = ({ label, copy, children }: { label: string; copy?: string; children?: ReactNode }) => {
  const { t } = useTranslation('developers');
  return (
    <div className={styles.fact}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children ?? <code translate="no">{copy}</code>}</dd>
      {copy !== undefined && (
        <dd className={styles.copy}>
          <CopyButton small text={copy} label={t('client.copyOf', { what: label })} />
        </dd>
      )}
    </div>
  );
};

/** What a program needs to know about the client, to copy. */
export const Facts = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const issuer = location.origin;
  const isOfThisBrand = client.brand === undefined || client.brand === boot.brand.id;
  return (
    <Section name="facts">
      <dl className={`${card.card} ${styles.facts}`}>
        <Fact label={t('client.facts.id')} copy={client.client_id} />
        {isOfThisBrand ? (
          <>
            <Fact label={t('client.facts.issuer')} copy={issuer} />
            <Fact label={t('client.facts.discovery')} copy={`${issuer}/.well-known/openid-configuration`} />
          </>
        ) : (
          <Fact label={t('client.facts.issuer')}>
            {t('client.facts.otherBrand', { brand: client.brand })}
          </Fact>
        )}
        {client.secrets.length > 0 && <Fact label={t('client.facts.variable')} copy="CLIENT_SECRET" />}
        <Fact label={t('client.facts.method')} copy={client.token_endpoint_auth_method} />
        <Fact label={t('client.facts.kind')}>{t(`presets.${client.preset ?? 'other'}.name`)}</Fact>
        <Fact label={t('client.facts.made')}>
          <Moment at={client.createdAt} />
        </Fact>
      </dl>
    </Section>
  );
};
