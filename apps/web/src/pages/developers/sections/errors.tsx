import type { RegisteredClient } from '@candela/contract';
import { useSearchParams } from 'react-router-dom';
import { Section } from '../section.tsx';

/** The refused requests of the client. `?reference=` in the page’s address opens the error of that reference. */
export const Errors = ({ client }: { client: RegisteredClient }) => {
  const [search] = useSearchParams();
  return (
    <Section name="errors">
      <p>
        {client.client_id} {search.get('reference')}
      </p>
    </Section>
  );
};
