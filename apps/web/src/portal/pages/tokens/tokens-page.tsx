import type { Authorization } from '@candela/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { call } from '../../../shell/api/client.ts';
import { boot } from '../../../shell/boot.ts';
import { Button } from '../../../shell/components/button.tsx';
import { focusAfterEnding } from '../../account/focus-after-ending.ts';
import { ListHeading } from '../../account/list-heading.tsx';
import { PagedList } from '../../account/paged-list.tsx';
import { authorizationsQuery } from '../../account/queries.ts';
import { useEnding } from '../../account/use-ending.ts';
import { useListSearch } from '../../account/use-list-search.ts';
import card from '../../components/card.module.css';
import { ListSearch } from '../../components/list-search.tsx';
import { ListEmpty } from '../../components/list-states.tsx';
import { AppRow } from './app-row.tsx';
import { RemoveAccessDialog } from './remove-access-dialog.tsx';

const end = async (target: Authorization | 'all'): Promise<void> => {
  if (target === 'all') await call('DELETE /api/authorizations');
  else await call('DELETE /api/authorizations/:id', { params: { id: target.id } });
};

interface ApprovalsProps {
  approvals: readonly Authorization[];
  search: ReturnType<typeof useListSearch<Authorization>>;
  onEnd: (approval: Authorization) => void;
}

const Approvals = ({ approvals, search, onEnd }: ApprovalsProps) => {
  const { t } = useTranslation('account');
  if (approvals.length === 0) {
    return (
      <ListEmpty title={t('tokens.empty')}>{t('tokens.emptyText', { brand: boot.brand.name })}</ListEmpty>
    );
  }
  const found = approvals.filter(search.matches);
  const apps = Map.groupBy(found, ({ client }) => client.id);
  return (
    <>
      <ListSearch label={t('tokens.search')} search={search} found={found.length} />
      {found.length > 0 && (
        <ul className={card.card}>
          {[...apps].map(
            ([id, [first, ...others]]) =>
              first && <AppRow key={id} links={[first, ...others]} onRemove={onEnd} />,
          )}
        </ul>
      )}
    </>
  );
};

/** The approvals of third-party apps, by app, the newest first. */
export const TokensPage = () => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const query = useInfiniteQuery(authorizationsQuery);
  const all = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const deviceName = useDeviceName();
  const search = useListSearch(
    query,
    (approval) => `${approval.client.name} ${approval.client.host} ${deviceName(approval)}`,
  );

  const ending = useEnding<Authorization | 'all'>(end, async (target) => {
    const shown = all.filter(search.matches);
    await client.refetchQueries({ queryKey: authorizationsQuery.queryKey });
    focusAfterEnding(shown, target === 'all' ? undefined : target.id);
  });
  const { target } = ending;

  return (
    <>
      <ListHeading title={t('tokens.title')} text={t('tokens.text')}>
        {all.length > 1 && (
          <Button look="text" onClick={() => ending.ask('all')}>
            {t('tokens.removeAll')}
          </Button>
        )}
      </ListHeading>
      <PagedList query={query}>
        {(items) => <Approvals approvals={items} search={search} onEnd={ending.ask} />}
      </PagedList>
      {target && (
        <RemoveAccessDialog
          target={target}
          answer={ending.answer}
          isOneOfSeveral={
            target !== 'all' && all.filter(({ client: { id } }) => id === target.client.id).length > 1
          }
        />
      )}
    </>
  );
};
