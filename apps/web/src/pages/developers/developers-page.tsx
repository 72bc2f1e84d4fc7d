import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ListHeading } from '../../account/list-heading.tsx';
import { PagedList } from '../../account/paged-list.tsx';
import { boot } from '../../boot.ts';
import card from '../../components/card.module.css';
import { Link } from '../../navigation/link.tsx';
import { clientsQuery } from './queries.ts';

/** The clients of a developer. */
export const DevelopersPage = () => {
  const { t } = useTranslation('developers');
  const query = useInfiniteQuery(clientsQuery);
  return (
    <>
      <ListHeading title={t('developers.title')} text={t('developers.text', { brand: boot.brand.name })} />
      <PagedList query={query}>
        {(clients) => (
          <ul className={card.card}>
            {clients.map(({ client_id: id, client_name: name }) => (
              <li key={id} className={card.row}>
                <Link to={`/developers/${encodeURIComponent(id)}`}>{name}</Link>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
};
