import type { ClientListItem } from '@candela/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import linkButton from '../flow/components/link-button.module.css';
import { ListHeading } from '../portal/account/list-heading.tsx';
import { PagedList } from '../portal/account/paged-list.tsx';
import { clientsQuery } from '../portal/account/queries.ts';
import { useListSearch } from '../portal/account/use-list-search.ts';
import { ListSearch } from '../portal/components/list-search.tsx';
import { boot } from '../shell/boot.ts';
import { Link } from '../shell/navigation/link.tsx';
import { ClientList } from './client-list.tsx';
import styles from './developers-page.module.css';
import { DocsLink } from './docs-link.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LockedOut, lockOf } from './locked-out.tsx';
import { ReferenceForm } from './reference-form.tsx';

interface ClientsProps {
  clients: readonly ClientListItem[];
  search: ReturnType<typeof useListSearch<ClientListItem>>;
}

const Clients = ({ clients, search }: ClientsProps) => {
  const { t } = useTranslation('developers');
  const found = clients.filter(search.matches);
  return (
    <>
      <ListSearch label={t('tokens.search')} search={search} found={found.length} />
      {found.length > 0 && <ClientList clients={found} />}
    </>
  );
};

/** The clients of a developer: whether anything is wrong with one, and the way to a new one. */
export const DevelopersPage = () => {
  const { t } = useTranslation('developers');
  const [address] = useSearchParams();
  const query = useInfiniteQuery(clientsQuery);
  const { data, error } = query;
  const clients = data?.pages.flatMap(({ items }) => items) ?? [];
  const search = useListSearch(query, (client) => `${client.client_name} ${client.client_id}`);
  const reference = address.get('reference') ?? '';
  const lock = lockOf(error);
  return (
    <>
      <ListHeading title={t('developers.title')} text={t('developers.text', { brand: boot.brand.name })}>
        {clients.length > 0 && !lock && (
          <Link className={linkButton.button} to="/developers/new">
            {t('developers.register')}
          </Link>
        )}
      </ListHeading>
      <p className={styles.docs}>
        <DocsLink>{t('documentation.title')}</DocsLink>
      </p>
      {lock ? (
        <LockedOut lock={lock} />
      ) : (
        <PagedList query={query}>
          {(all) =>
            all.length === 0 ? (
              <FirstSteps />
            ) : (
              <>
                <Clients clients={all} search={search} />
                <ReferenceForm given={reference} />
              </>
            )
          }
        </PagedList>
      )}
    </>
  );
};
