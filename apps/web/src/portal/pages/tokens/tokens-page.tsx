import type { Authorization, EndedAuthorization } from '@candela/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { call } from '../../../shell/api/client.ts';
import { boot } from '../../../shell/boot.ts';
import { Button } from '../../../shell/components/button.tsx';
import { focusAfterEnding } from '../../account/focus-after-ending.ts';
import { ListHeading } from '../../account/list-heading.tsx';
import { PagedList } from '../../account/paged-list.tsx';
import { authorizationsQuery, endedAuthorizationsQuery } from '../../account/queries.ts';
import { useEnding } from '../../account/use-ending.ts';
import { useListSearch } from '../../account/use-list-search.ts';
import { usePainted } from '../../account/use-painted.ts';
import { useRest } from '../../account/use-rest.ts';
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
  ended: readonly EndedAuthorization[];
  search: ReturnType<typeof useListSearch<Authorization>>;
  onEnd: (approval: Authorization) => void;
}

const Approvals = ({ approvals, ended, search, onEnd }: ApprovalsProps) => {
  const { t } = useTranslation('account');
  const found = approvals.filter(search.matches);
  const foundEnded = ended.filter(({ client, label = '' }) =>
    search.includes(`${client.name} ${client.host} ${label}`),
  );
  const linksOf = Map.groupBy(found, ({ client }) => client.id);
  const endedOf = Map.groupBy(foundEnded, ({ client }) => client.id);
  // Apps that are connected stand before those that were.
  const apps = [...new Set([...linksOf.keys(), ...endedOf.keys()])];
  return (
    <>
      {approvals.length === 0 && (
        <ListEmpty title={t('tokens.empty')}>{t('tokens.emptyText', { brand: boot.brand.name })}</ListEmpty>
      )}
      {approvals.length > 0 && <ListSearch label={t('tokens.search')} search={search} found={found.length} />}
      {apps.length > 0 && (
        <ul className={card.card}>
          {apps.map((id) => (
            <AppRow key={id} links={linksOf.get(id) ?? []} ended={endedOf.get(id) ?? []} onRemove={onEnd} />
          ))}
        </ul>
      )}
    </>
  );
};

/** The links that ended. They are few; where they do not load, those that live are shown without them. */
const useEnded = (): readonly EndedAuthorization[] => {
  // The first request is for what the page is about.
  const painted = usePainted();
  const query = useInfiniteQuery({ ...endedAuthorizationsQuery, enabled: painted });
  useRest(query, painted);
  return query.data?.pages.flatMap(({ items }) => items) ?? [];
};

/** The approvals of third-party apps, by app, the newest first, and the links of each app that ended. */
export const TokensPage = () => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const query = useInfiniteQuery(authorizationsQuery);
  const all = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const ended = useEnded();
  const deviceName = useDeviceName();
  const search = useListSearch(
    query,
    ({ client: app, label = '', ...approval }) => `${app.name} ${app.host} ${label} ${deviceName(approval)}`,
  );

  const ending = useEnding<Authorization | 'all'>(end, async (target) => {
    const shown = all.filter(search.matches);
    await Promise.all(
      [authorizationsQuery, endedAuthorizationsQuery].map(({ queryKey }) =>
        client.refetchQueries({ queryKey }),
      ),
    );
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
        {(items) => <Approvals approvals={items} ended={ended} search={search} onEnd={ending.ask} />}
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
