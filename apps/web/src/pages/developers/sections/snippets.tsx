import type { RegisteredClient } from '@candela/contract';
import { Section } from '../section.tsx';

/** Programs with the values of this client. */
export const Snippets = ({ client }: { client: RegisteredClient }) => (
  <Section name="snippets">
    <p>{client.client_id}</p>
  </Section>
);
