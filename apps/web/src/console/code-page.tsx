import { ClientPage } from './client-page.tsx';
import { Snippets } from './sections/snippets.tsx';
import { TryIt } from './sections/try-it.tsx';

/** The protocol step by step with a client, and programs with its values. */
export const CodePage = () => (
  <ClientPage part="code">
    {(client) => (
      <>
        <TryIt client={client} />
        <Snippets client={client} />
      </>
    )}
  </ClientPage>
);
