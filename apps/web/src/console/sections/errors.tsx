import type { ClientErrorKind, RegisteredClient } from '@candela/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Field } from '../../flow/components/field.tsx';
import { Moment } from '../../flow/components/moment.tsx';
import { Phrase } from '../../flow/components/phrase.tsx';
import card from '../../portal/components/card.module.css';
import { ListEmpty, ListFailure } from '../../portal/components/list-states.tsx';
import { ApiError } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { errorsQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import { ErrorDetails } from '../trouble/error-details.tsx';
import { Remedy } from '../trouble/remedy.tsx';
import styles from '../trouble/trouble.module.css';

/** The refused requests of one kind, which load when they are unfolded. */
const ErrorsOfKind = ({ client, kind }: { client: RegisteredClient; kind: ClientErrorKind }) => {
  const { t } = useTranslation('developers');
  const query = useInfiniteQuery(errorsQuery(client.client_id, { kind }));
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (!data) return <Skeleton heights={[120]} />;
  return (
    <>
      {data.pages
        .flatMap(({ items }) => items)
        .map((error) => (
          <ErrorDetails key={error.reference + error.at} client={client} error={error} />
        ))}
      {hasNextPage && (
        <Button look="text" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('trouble.more')}
        </Button>
      )}
    </>
  );
};

interface Sum {
  kind: ClientErrorKind;
  count: number;
  lastAt: string;
}

const KindRow = ({ client, sum }: { client: RegisteredClient; sum: Sum }) => {
  const { t } = useTranslation('developers');
  const [open, setOpen] = useState(false);
  return (
    <li className={styles.kind}>
      <h3 className={styles.title}>
        {t(`trouble.kinds.${sum.kind}.title`)}
        <span className={styles.count}>
          {t('trouble.times', { count: sum.count })} ·{' '}
          <Phrase text={(when) => t('trouble.last', { when })}>
            <Moment at={sum.lastAt} show="distance" />
          </Phrase>
        </span>
      </h3>
      <Remedy client={client} kind={sum.kind} />
      <details className={styles.foldable} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('trouble.sent')}</summary>
        {open && <ErrorsOfKind client={client} kind={sum.kind} />}
      </details>
    </li>
  );
};

const AllErrors = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const { data, error, isFetching, refetch } = useInfiniteQuery(errorsQuery(client.client_id, {}));
  const kinds = data?.pages[0]?.kinds;
  if (!kinds && error instanceof ApiError)
    return <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!kinds) return <Skeleton heights={[120, 120]} />;
  if (kinds.length === 0) return <ListEmpty title={t('trouble.empty')}>{t('trouble.emptyText')}</ListEmpty>;
  return (
    <ul className={card.card}>
      {kinds.map((sum) => (
        <KindRow key={sum.kind} client={client} sum={sum} />
      ))}
    </ul>
  );
};

/** The error of one reference. */
const OneError = ({ client, reference }: { client: RegisteredClient; reference: string }) => {
  const { t } = useTranslation('developers');
  const { data, error, isFetching, refetch } = useInfiniteQuery(errorsQuery(client.client_id, { reference }));
  const found = data?.pages[0]?.items[0];
  if (!data && error instanceof ApiError)
    return <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[160]} />;
  if (!found) return <p role="status">{t('trouble.notFound')}</p>;
  return (
    <div className={`${card.card} ${styles.kind}`}>
      <h3 className={styles.title}>{t(`trouble.kinds.${found.kind}.title`)}</h3>
      <Remedy client={client} kind={found.kind} />
      <ErrorDetails client={client} error={found} />
    </div>
  );
};

/** The refused requests of the client. `?reference=` in the page’s address opens the error of that reference. */
export const Errors = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const [search, setSearch] = useSearchParams();
  const reference = search.get('reference') ?? '';
  const [typed, setTyped] = useState(reference);
  const find = (event: FormEvent) => {
    event.preventDefault();
    setSearch(typed.trim() ? { reference: typed.trim() } : {}, { replace: true, preventScrollReset: true });
  };
  return (
    <Section name="errors" text={t('trouble.text')}>
      <form className={styles.find} onSubmit={find}>
        <Field id="error-reference" label={t('trouble.reference')}>
          <input
            id="error-reference"
            value={typed}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <Button type="submit">{t('trouble.find')}</Button>
      </form>
      {reference ? (
        <>
          <OneError client={client} reference={reference} />
          <Button
            look="text"
            onClick={() => {
              setTyped('');
              setSearch({}, { replace: true, preventScrollReset: true });
            }}
          >
            {t('trouble.all')}
          </Button>
        </>
      ) : (
        <AllErrors client={client} />
      )}
    </Section>
  );
};
