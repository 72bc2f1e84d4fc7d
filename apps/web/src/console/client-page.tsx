import type { RegisteredClient } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router-dom';
import { BackLink } from '../portal/account/list-heading.tsx';
import { ListFailure } from '../portal/components/list-states.tsx';
import { ApiError } from '../shell/api/client.ts';
import { bring } from '../shell/bring.ts';
import { part } from '../shell/chunk/part.tsx';
import { Initial } from '../shell/components/initial.tsx';
import { PageHeading } from '../shell/components/page-heading.tsx';
import { Skeleton } from '../shell/components/skeleton.tsx';
import { Link } from '../shell/navigation/link.tsx';
import styles from './client-page.module.css';
import type { LinksDraft } from './links-draft.ts';
import { LockedOut, lockOf } from './locked-out.tsx';
import type { PermissionsDraft } from './permissions-draft.ts';
import { clientQuery } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { findSection, sectionNames } from './section.tsx';
import { Addresses } from './sections/addresses.tsx';
import { Ending } from './sections/ending.tsx';
import { Errors } from './sections/errors.tsx';
import { Facts } from './sections/facts.tsx';
import { History } from './sections/history.tsx';
import { Links } from './sections/links.tsx';
import { Members } from './sections/members.tsx';
import { Permissions } from './sections/permissions.tsx';
import { Secrets } from './sections/secrets.tsx';
import { Snippets } from './sections/snippets.tsx';
import { TryIt } from './sections/try-it.tsx';
import { Usage } from './sections/usage.tsx';

const Preview = part(async () => (await bring(() => import('./sections/preview.tsx'))).Preview);

/** Whether people approve the app, so that there is a screen of the approval. */
const isApproved = ({ grant_types: grantTypes }: RegisteredClient): boolean =>
  grantTypes.some((grantType) => grantType !== 'client_credentials');

const Contents = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const names = sectionNames.filter((name) => name !== 'preview' || isApproved(client));
  return (
    <nav aria-label={t('client.contents')}>
      <ul className={styles.contents}>
        {names.map((name) => (
          <li key={name}>
            <Link to={`#${name}`}>{t(`client.sections.${name}`)}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Sections = ({ client }: { client: RegisteredClient }) => {
  const [links, setLinks] = useState<LinksDraft>();
  const [permissions, setPermissions] = useState<PermissionsDraft>();
  return (
    <>
      <Facts client={client} />
      <Secrets client={client} />
      <Addresses client={client} />
      <TryIt client={client} />
      <Snippets client={client} />
      <Permissions client={client} edited={permissions} onEdit={setPermissions} />
      <Links client={client} edited={links} onEdit={setLinks} />
      {isApproved(client) && (
        <Suspense fallback={<Skeleton heights={[680]} />}>
          <Preview client={client} links={links} permissions={permissions} />
        </Suspense>
      )}
      <Errors client={client} />
      <Usage client={client} />
      <Members client={client} />
      <History client={client} />
      <Ending client={client} />
    </>
  );
};

/** Shows the section that the fragment of the address names, once it is there. */
const useFragment = (isReady: boolean) => {
  const page = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  // A second press on the same link changes the key, and leads there again.
  useEffect(() => {
    const heading = isReady && hash && page.current && findSection(page.current, hash.slice(1));
    if (!heading) return;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: 'start' });
  }, [isReady, hash, key]);
  return page;
};

const Loaded = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  return (
    <>
      <div className={styles.who}>
        <Initial name={client.client_name} picture={client.summary.logo} shape="square" />
        <div className={styles.names}>
          <PageHeading title={client.client_name} />
          <p className={styles.kind}>{t(`presets.${client.preset ?? 'other'}.name`)}</p>
        </div>
      </div>
      {client.disabled && <p className={styles.disabled}>{t('client.isDisabled')}</p>}
      <Contents client={client} />
      <Sections client={client} />
      <SecretDialog client={client} />
    </>
  );
};

/** One client: its registration, its trial, its errors, its end. */
export const ClientPage = () => {
  const { t } = useTranslation('developers');
  const { id = '' } = useParams();
  const { data: client, error, isFetching, refetch } = useQuery(clientQuery(id));
  const page = useFragment(client !== undefined);
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
        <Loaded client={client} />
      ) : (
        <>
          <PageHeading title={t('client.title')} />
          {missing}
        </>
      )}
    </div>
  );
};
