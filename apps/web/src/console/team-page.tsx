import { ClientPage } from './client-page.tsx';
import { History } from './sections/history.tsx';
import { Members } from './sections/members.tsx';

/** Who changes a client, and who changed what. */
export const TeamPage = () => (
  <ClientPage part="team">
    {(client) => (
      <>
        <Members client={client} />
        <History client={client} />
      </>
    )}
  </ClientPage>
);
