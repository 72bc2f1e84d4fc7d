import type { DeskBrandHistory } from '@candela/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { notify } from '../../../portal/components/toast.tsx';
import { ApiError, call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import filters from '../../components/filters.module.css';
import { MoreRows } from '../../components/more-rows.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/when.tsx';
import { act } from '../../queries.ts';
import { wordsHistoryQuery, wordsKey } from './queries.ts';

type Version = DeskBrandHistory['items'][number];

/** So many texts of a version are named. */
const NAMED = 4;

interface WordsHistoryProps {
  brand: string;
  /** The version in force; 0 before the first change. */
  version: number;
}

const Restoring = ({
  brand,
  version,
  to,
  onClose,
}: WordsHistoryProps & { to: number; onClose: () => void }) => {
  const { t } = useTranslation('desk');
  const queries = useQueryClient();
  const onDone = async () => {
    notify(t('app.done'));
    await queries.invalidateQueries({ queryKey: wordsKey });
    onClose();
    focusSoon(() => document.querySelector<HTMLElement>('[data-section=history] h2'));
  };
  return (
    <ReasonDialog
      title={to === 0 ? t('desk.words.toFileTitle') : t('desk.words.restoreTitle', { version: to })}
      text={to === 0 ? t('desk.words.toFileText') : t('desk.words.restoreText')}
      action={to === 0 ? t('desk.words.toFile') : t('desk.words.restoreOf', { version: to })}
      carryOut={(reason) =>
        act(() =>
          call('POST /api/desk/brands/:brand/restore', {
            params: { brand },
            body: { base: version, to, reason },
          }),
        )
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
};

const ChangedTexts = ({ changed }: Pick<Version, 'changed'>) => {
  const { t } = useTranslation('desk');
  const others = changed.length - NAMED;
  return (
    <span className={filters.quiet}>
      {changed.slice(0, NAMED).join(', ')} {others > 0 && t('desk.words.others', { count: others })}
    </span>
  );
};

/** Every version of the words of a brand, with the way back to it. */
export const WordsHistory = ({ brand, version }: WordsHistoryProps) => {
  const { t } = useTranslation('desk');
  const query = useInfiniteQuery(wordsHistoryQuery(brand));
  const [to, setTo] = useState<number>();
  const ask = (chosen: number) => () => {
    prepareDialog();
    setTo(chosen);
  };
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <Section
      name="history"
      title={t('desk.words.history')}
      beside={version > 0 && <Button onClick={ask(0)}>{t('desk.words.toFile')}</Button>}
    >
      {items?.length === 0 && <Nothing>{t('desk.words.noHistory')}</Nothing>}
      {items && items.length > 0 && (
        <Table
          caption={t('desk.words.history')}
          rows={items}
          keyOf={(row) => String(row.version)}
          columns={[
            { heading: t('desk.words.version'), cell: (row) => row.version },
            { heading: t('desk.words.at'), cell: ({ at }) => <When at={at} show="distance" /> },
            { heading: t('desk.words.by'), cell: ({ by }) => by },
            { heading: t('desk.words.why'), cell: ({ reason }) => reason },
            { heading: t('desk.words.changed'), cell: (row) => <ChangedTexts changed={row.changed} /> },
            {
              heading: t('desk.words.act'),
              cell: (row) =>
                row.version === version ? (
                  t('desk.words.inForce')
                ) : (
                  <Button
                    className={filters.answer}
                    aria-label={t('desk.words.restoreOf', { version: row.version })}
                    onClick={ask(row.version)}
                  >
                    {t('desk.words.restore')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      <MoreRows query={query} />
      {!items && query.error instanceof ApiError && (
        <ListFailure error={query.error} busy={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      {!items && !query.error && <Skeleton heights={[120]} />}
      {to !== undefined && (
        <Restoring brand={brand} version={version} to={to} onClose={() => setTo(undefined)} />
      )}
    </Section>
  );
};
