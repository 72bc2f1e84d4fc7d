import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { signalsOfLinks } from '../../../person/signal/signal.repository.ts';
import { defineWrite } from './write.ts';

const linkColumns = ['brand', 'account_id', 'client_id', 'scope', 'has_refresh_token'] as const;

/** Tells of the grants that a statement made links. @param links a relation named `link` */
export const linksCreated = (db: QueryCreator<Database>, links: RawBuilder<unknown>) =>
  signalsOfLinks(db, { event: 'link-created', links, by: 'user' });

/** Makes the grant a link at once: the person may sign out before the device comes for its tokens. */
export const markDeviceGrant = defineWrite<{ brand: string; grantId: string; linked: boolean }>(
  (db, param, guard) =>
    db
      .updateTable('authorization_grant')
      .set({ grant_mode: 'device_code', has_refresh_token: sql`cast(${param('linked')} as boolean)` })
      .where('brand', '=', param('brand'))
      .where('id', '=', param('grantId'))
      .where(guard)
      .returning(linkColumns),
  {
    follow: (db, _param, returned) => [
      linksCreated(
        db,
        sql`(select brand, account_id, client_id, scope from ${returned} where has_refresh_token) as link`,
      ),
    ],
  },
);
