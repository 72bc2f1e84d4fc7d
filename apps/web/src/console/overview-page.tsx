import type { RegisteredClient } from '@candela/contract';
import { platformPresets } from '@candela/contract/rules/client-presets';
import { ClientPage } from './client-page.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { Errors } from './sections/errors.tsx';
import { Facts } from './sections/facts.tsx';
import { LinkCheck } from './sections/link-check.tsx';
import { Secrets } from './sections/secrets.tsx';
import { Status } from './sections/status.tsx';
import { Usage } from './sections/usage.tsx';

/** Whether people link their homes to a platform by the client. */
const isOfPlatform = ({ preset }: RegisteredClient): boolean =>
  platformPresets.some((platform) => platform === preset);

/** Whether a client works, what a program needs to know about it, and what went wrong. */
export const OverviewPage = () => (
  <ClientPage part="overview">
    {(client) => (
      <>
        <Status client={client} />
        {isOfPlatform(client) && <LinkCheck client={client} />}
        <Facts client={client} />
        <Secrets client={client} />
        <Errors client={client} />
        <Usage client={client} />
        <SecretDialog client={client} />
      </>
    )}
  </ClientPage>
);
