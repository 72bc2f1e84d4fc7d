import type { DeskClient } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { Facts } from '../../components/facts.tsx';
import filters from '../../components/filters.module.css';
import { Section } from '../../components/section.tsx';

/** What an agent says of an app on the phone. */
export const AppFacts = ({ client, health }: Pick<DeskClient, 'client' | 'health'>) => {
  const { t } = useTranslation('desk');
  const number = new Intl.NumberFormat(useLocale());
  const { client_id: id, preset, brand, source, createdAt, redirect_uris: addresses } = client;
  return (
    <Section name="facts" title={t('desk.apps.facts')}>
      <div className={filters.chart}>
        <Facts
          facts={[
            [t('desk.apps.id'), <code translate="no">{id}</code>],
            ...(preset ? [[t('desk.apps.preset'), <code translate="no">{preset}</code>] as const] : []),
            ...(brand ? [[t('desk.apps.brand'), brand] as const] : []),
            [t('desk.apps.source'), t(`desk.apps.sources.${source}`)],
            [t('desk.apps.made'), <Moment at={createdAt} />],
            [t('desk.apps.links'), number.format(client.links)],
            [t('desk.apps.errorsToday'), number.format(health.errorsToday)],
            ...(health.lastTokenAt
              ? [[t('desk.apps.lastToken'), <Moment at={health.lastTokenAt} show="distance" />] as const]
              : []),
            [
              t('desk.apps.addresses'),
              <span translate="no">
                {addresses.map((address) => (
                  <span key={address} className={filters.quiet}>
                    {address}
                  </span>
                ))}
              </span>,
            ],
          ]}
        />
      </div>
    </Section>
  );
};
