import type { ClientHealth, RegisteredClient } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../flow/components/moment.tsx';
import card from '../../portal/components/card.module.css';
import { ListFailure } from '../../portal/components/list-states.tsx';
import { ApiError, serverNow } from '../../shell/api/client.ts';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { useLocale } from '../../shell/language/use-locale.ts';
import { Link } from '../../shell/navigation/link.tsx';
import { type ClientStatus, statusOf, tokensToday } from '../client-status.ts';
import { type SectionName, sectionOf } from '../page-of.ts';
import { healthQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import styles from './status.module.css';

/** What is next in each status, and where. */
const steps = {
  secretless: 'secrets',
  unused: 'tryIt',
  failing: 'errors',
  mixed: 'errors',
} as const satisfies Partial<Record<ClientStatus, SectionName>>;

const hasStep = (status: ClientStatus): status is keyof typeof steps => Object.hasOwn(steps, status);

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const Answer = ({ client, health }: { client: RegisteredClient; health: ClientHealth }) => {
  const { t } = useTranslation('developers');
  const number = new Intl.NumberFormat(useLocale());
  const status = statusOf(client, health, serverNow());
  const { lastTokenAt, errorsToday, secretEndsAt } = health;
  return (
    <div className={card.card} data-status={status}>
      <div className={styles.answer}>
        <span className={styles.mark} aria-hidden="true" />
        <h3 className={styles.title}>{t(`overview.status.${status}.title`)}</h3>
        <p className={styles.text}>{t(`overview.status.${status}.text`)}</p>
        {hasStep(status) && (
          <p className={styles.step}>
            <Link to={sectionOf(client.client_id, steps[status])}>
              {t(`overview.status.${status}.action`)}
            </Link>
          </p>
        )}
      </div>
      <dl className={styles.facts}>
        <Fact label={t('overview.facts.lastToken')}>
          {lastTokenAt ? <Moment at={lastTokenAt} show="distance" /> : t('overview.facts.never')}
        </Fact>
        <Fact label={t('overview.facts.tokens')}>{number.format(tokensToday(health))}</Fact>
        <Fact label={t('overview.facts.errors')}>{number.format(errorsToday)}</Fact>
        <Fact label={t('overview.facts.links')}>{number.format(client.links)}</Fact>
        {secretEndsAt && (
          <Fact label={t('overview.facts.secretEnds')}>
            <Moment at={secretEndsAt} show="distance" />
          </Fact>
        )}
      </dl>
    </div>
  );
};

/** Whether the client works: in words, with what is next, and when it was last used. */
export const Status = ({ client }: { client: RegisteredClient }) => {
  const { data, error, isFetching, refetch } = useQuery(healthQuery(client.client_id));
  return (
    <Section name="status">
      {data ? (
        <Answer client={client} health={data} />
      ) : error instanceof ApiError ? (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton heights={[168]} />
      )}
    </Section>
  );
};
