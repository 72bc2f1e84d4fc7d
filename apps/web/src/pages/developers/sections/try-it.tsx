import type { RegisteredClient } from '@candela/contract';
import { Section } from '../section.tsx';

/** The protocol step by step with this client. */
export const TryIt = ({ client }: { client: RegisteredClient }) => (
  <Section name="tryIt">
    <p>{client.client_id}</p>
  </Section>
);
