import type { RegisteredClient } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { BackLink } from '../portal/account/list-heading.tsx';
import { ListFailure } from '../portal/components/list-states.tsx';
import { ApiError } from '../shell/api/client.ts';
import { Initial } from '../shell/components/initial.tsx';
import { PageHeading } from '../shell/components/page-heading.tsx';
import { Skeleton } from '../shell/components/skeleton.tsx';
import { Link } from '../shell/navigation/link.tsx';
import { openPage } from '../shell/navigation/open-page.ts';
import styles from './client-page.module.css';
import { CommandSwitch } from './command-switch.tsx';
import { LockedOut, lockOf } from './locked-out.tsx';
import { type PartName, pageOf, partNames, partWith, sectionOf } from './page-of.ts';
import { clientQuery } from './queries.ts';
import { findSection } from './section.tsx';

/** Shows the section that the fragment of the address names, once it is there; one of another part, on that part. */
const useFragment = (id: string, part: PartName, isReady: boolean) => {
  const page = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { search, hash, key } = useLocation();
  // A second press on the same link changes the key, and leads there again.
  useEffect(() => {
    const name = hash.slice(1);
    const home = partWith(name);
    if (!isReady || !home || !page.current) return;
    if (home !== part) {
      const path = `${pageOf(id, home)}${search}${hash}`;
      void openPage(path, () => navigate(path, { replace: true }));
      return;
    }
    const heading = findSection(page.current, name);
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'start' });
  }, [id, part, isReady, search, hash, key]);
  return page;
};

/** The ways between the parts of the page; the one on screen is marked. */
const Parts = ({ id, part }: { id: string; part: PartName }) => {
  const { t } = useTranslation('developers');
  return (
    <nav className={styles.parts} aria-label={t('overview.parts.label')}>
      <ul>
        {partNames.map((name) => (
          <li key={name}>
            <Link to={pageOf(id, name)} {...(name === part && { 'aria-current': 'page' })}>
              {t(`overview.parts.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Head = ({ client, part }: { client: RegisteredClient; part: PartName }) => {
  const { t } = useTranslation('developers');
  const { client_name: name } = client;
  return (
    <>
      <div className={styles.who}>
        <Initial name={name} picture={client.summary.logo} shape="square" />
        <div className={styles.names}>
          <PageHeading title={part === 'overview' ? name : `${t(`overview.parts.${part}`)} - ${name}`}>
            {name}
          </PageHeading>
          <p className={styles.kind}>{t(`presets.${client.preset ?? 'other'}.name`)}</p>
        </div>
      </div>
      {client.disabled && (
        <div className={styles.disabled}>
          <p>{t('client.isDisabled')}</p>
          {part !== 'settings' && (
            <Link to={sectionOf(client.client_id, 'ending')}>{t('client.sections.ending')}</Link>
          )}
        </div>
      )}
      <div className={styles.bar}>
        <Parts id={client.client_id} part={part} />
        {part !== 'code' && <CommandSwitch />}
      </div>
    </>
  );
};

interface ClientPageProps {
  part: PartName;
  /** The sections of the part. */
  children: (client: RegisteredClient) => ReactNode;
}

/** A part of the page of one client, under the client’s name and the ways to the other parts. */
export const ClientPage = ({ part, children }: ClientPageProps) => {
  const { t } = useTranslation('developers');
  const { id = '' } = useParams();
  const { data: client, error, isFetching, refetch } = useQuery(clientQuery(id));
  const page = useFragment(id, part, client !== undefined);
  const problem = error instanceof ApiError ? error : undefined;
  const lock = lockOf(error);
  const missing = lock ? (
    <LockedOut lock={lock} />
  ) : problem ? (
    <ListFailure
      title={t('client.failedTitle')}
      error={problem}
      busy={isFetching}
      onRetry={() => void refetch()}
    />
  ) : (
    <Skeleton heights={[120, 240, 240]} />
  );
  return (
    <div ref={page}>
      <BackLink to="/developers">{t('developers.title')}</BackLink>
      {client ? (
        <>
          <Head client={client} part={part} />
          {children(client)}
        </>
      ) : (
        <>
          <PageHeading title={t('client.title')} />
          {missing}
        </>
      )}
    </div>
  );
};
