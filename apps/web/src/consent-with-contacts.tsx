import { ConsentPage } from './flow/pages/consent/consent-page.tsx';
import { bring } from './shell/bring.ts';
import { part } from './shell/chunk/part.tsx';
import { Skeleton } from './shell/components/skeleton.tsx';

/** The height of a missing contact in pixels: the placeholder keeps the content below in place. */
const CONTACT_HEIGHT = 112;

const MissingContacts = part(
  async () => (await bring(() => import('./portal/contact/missing-contacts.tsx'))).MissingContacts,
  ({ kinds }) => <Skeleton heights={kinds.map(() => CONTACT_HEIGHT)} />,
);

/**
 * The page of the consent. A sign-in knows only the form of the part that asks for missing contacts; the part is in the
 * account's room.
 */
export const ConsentWithContacts = () => <ConsentPage missingContacts={MissingContacts} />;
