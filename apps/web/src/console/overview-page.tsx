import { ClientPage } from './client-page.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { Errors } from './sections/errors.tsx';
import { Facts } from './sections/facts.tsx';
import { Secrets } from './sections/secrets.tsx';
import { Status } from './sections/status.tsx';
import { Usage } from './sections/usage.tsx';

/** Whether a client works, what a program needs to know about it, and what went wrong. */
export const OverviewPage = () => (
  <ClientPage part="overview">
    {(client) => (
      <>
        <Status client={client} />
        <Facts client={client} />
        <Secrets client={client} />
        <Errors client={client} />
        <Usage client={client} />
        <SecretDialog client={client} />
      </>
    )}
  </ClientPage>
);
