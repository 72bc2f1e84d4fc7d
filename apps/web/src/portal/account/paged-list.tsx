import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { ListFailure } from '../components/list-states.tsx';
import styles from './paged-list.module.css';

interface Paged<Item> {
  items: Item[];
  next?: string | undefined;
}

interface PagedListProps<Item> {
  query: UseInfiniteQueryResult<InfiniteData<Paged<Item>>>;
  children: (items: readonly Item[]) => ReactNode;
}

/** A list of the account in all its states: loading, failed, loaded, with more to come. */
export const PagedList = <Item,>({ query, children }: PagedListProps<Item>) => {
  const { t } = useTranslation('account');
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const problem = error instanceof ApiError ? error : undefined;
  if (!data) {
    return problem ? (
      <ListFailure error={problem} busy={isFetching} onRetry={() => void refetch()} />
    ) : (
      <Skeleton heights={[170, 170, 170]} label={t('list.loading')} />
    );
  }
  return (
    <>
      {children(data.pages.flatMap(({ items }) => items))}
      {problem && (
        <div className={styles.below}>
          <ListFailure
            error={problem}
            busy={isFetching}
            onRetry={() => void (hasNextPage ? fetchNextPage() : refetch())}
          />
        </div>
      )}
      {hasNextPage && !problem && (
        <div className={styles.below}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('list.more')}
          </Button>
        </div>
      )}
    </>
  );
};
