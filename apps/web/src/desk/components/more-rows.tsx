import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import styles from './more-rows.module.css';

interface MoreRowsProps<Page> {
  query: UseInfiniteQueryResult<InfiniteData<Page>, Error & Partial<Problem>>;
}

/** The way to the next rows of a table, or why they did not come. */
export const MoreRows = <Page,>({ query }: MoreRowsProps<Page>) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const { error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <div className={styles.more}>
      {error && (
        <p className={styles.problem} role="alert">
          {problemText({ code: error.code ?? 'internal_error' })}
        </p>
      )}
      <Button look="text" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('list.more')}
      </Button>
    </div>
  );
};
