import type { RegisteredClient } from '@candela/contract';
import { Section } from '../section.tsx';

/** Tokens, refreshes and errors of the last 30 days. */
export const Usage = ({ client }: { client: RegisteredClient }) => (
  <Section name="usage">
    <p>{client.client_id}</p>
  </Section>
);
