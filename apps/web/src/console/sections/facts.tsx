import type { RegisteredClient } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../flow/components/moment.tsx';
import { boot } from '../../shell/boot.ts';
import { Section } from '../section.tsx';
import { Fact, FactList } from './fact.tsx';

/** What a program needs to know about the client, to copy. */
export const Facts = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const issuer = location.origin;
  const isOfThisBrand = client.brand === undefined || client.brand === boot.brand.id;
  return (
    <Section name="facts">
      <FactList>
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
      </FactList>
    </Section>
  );
};
