import type { RegisteredClient } from '@candela/contract';
import { useState } from 'react';
import { bring } from '../shell/bring.ts';
import { part } from '../shell/chunk/part.tsx';
import { Skeleton } from '../shell/components/skeleton.tsx';
import { ClientPage } from './client-page.tsx';
import type { LinksDraft } from './links-draft.ts';
import type { PermissionsDraft } from './permissions-draft.ts';
import { Addresses } from './sections/addresses.tsx';
import { Ending } from './sections/ending.tsx';
import { Links } from './sections/links.tsx';
import { Permissions } from './sections/permissions.tsx';
import { Signals } from './sections/signals.tsx';

const Preview = part(
  async () => (await bring(() => import('./sections/preview.tsx'))).Preview,
  () => <Skeleton heights={[680]} />,
);

/** Whether people approve the app, so that there is a screen of the approval. */
const isApproved = ({ grant_types: grantTypes }: RegisteredClient): boolean =>
  grantTypes.some((grantType) => grantType !== 'client_credentials');

const Settings = ({ client }: { client: RegisteredClient }) => {
  const [links, setLinks] = useState<LinksDraft>();
  const [permissions, setPermissions] = useState<PermissionsDraft>();
  return (
    <>
      <Addresses client={client} />
      <Permissions client={client} edited={permissions} onEdit={setPermissions} />
      <Links client={client} edited={links} onEdit={setLinks} />
      {isApproved(client) && <Preview client={client} links={links} permissions={permissions} />}
      <Signals client={client} />
      <Ending client={client} />
    </>
  );
};

/** What a developer may change of a client, and its end. */
export const SettingsPage = () => (
  <ClientPage part="settings">{(client) => <Settings client={client} />}</ClientPage>
);
