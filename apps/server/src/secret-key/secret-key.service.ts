import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { hasTable } from '../db/migrate.ts';
import { listSealedMessages, updateSealedMessage } from '../delivery/message.repository.ts';
import { messageSealing } from '../delivery/message-queue.ts';
import { findSealedSalt, updateSealedSalt } from '../pairwise-salt/pairwise-salt.repository.ts';
import { saltSealing } from '../pairwise-salt/pairwise-salt.service.ts';
import { opens, sealAnew, sealingKeys } from '../seal.ts';
import { listSigningKeys, updateSealedJwk } from '../signing-key/signing-key.repository.ts';
import { signingKeySealing } from '../signing-key/signing-key.service.ts';
import { StartError } from '../start-error.ts';
import { listKeptKeys, updateKeptKey } from './kept-key.repository.ts';
import { keepFormerKeys, keptKeySealing } from './kept-key.service.ts';

export interface SecretKeyOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
}

/** A kind of rows that hold a text sealed under SECRET_KEY. */
interface Sealed {
  what: string;
  sealed: string;
  /** The purpose of its sealing keys. */
  purpose: string;
  /** Replaces the text unless it has changed since; answers whether it was replaced. */
  replace(change: { from: string; to: string }): Promise<boolean>;
}

/** All kinds but messages, which come and go. */
const listSealed = async (db: Kysely<Database>): Promise<Sealed[]> => {
  const salt = (await hasTable(db, 'pairwise_salt')) ? await findSealedSalt(db) : undefined;
  const signingKeys = (await hasTable(db, 'signing_key')) ? await listSigningKeys(db) : [];
  const keptKeys = (await hasTable(db, 'kept_key')) ? await listKeptKeys(db) : [];
  return [
    ...signingKeys.map(({ kid, sealed_jwk }) => ({
      what: `the signing key ${kid}`,
      sealed: sealed_jwk,
      purpose: signingKeySealing,
      replace: (change: { from: string; to: string }) => updateSealedJwk(db, change),
    })),
    ...(salt === undefined
      ? []
      : [
          {
            what: 'the salt of pairwise subjects',
            sealed: salt,
            purpose: saltSealing,
            replace: (change: { from: string; to: string }) => updateSealedSalt(db, change),
          },
        ]),
    ...keptKeys.map(({ purpose, sealed_key }) => ({
      what: `the key of ${purpose}`,
      sealed: sealed_key,
      purpose: keptKeySealing,
      replace: (change: { from: string; to: string }) => updateKeptKey(db, change),
    })),
  ];
};

/**
 * Is called before a process writes: a process that cannot open the sealed rows would seal new ones that no other
 * process can open.
 * @throws StartError that names the setting and the rows that SECRET_KEY does not open.
 */
export const requireSecretKey = async ({ db, secretKeys }: SecretKeyOptions): Promise<void> => {
  const closed = (await listSealed(db)).filter(
    ({ sealed, purpose }) => !opens(sealingKeys(secretKeys, purpose), sealed),
  );
  const [first] = closed;
  if (!first) return;
  const more = closed.length > 1 ? ` and ${closed.length - 1} more` : '';
  throw new StartError(
    `SECRET_KEY does not open ${first.what}${more} in this database: set the one that sealed it, beside others where there are several`,
  );
};

const PAGE = 100;

const listMessages = async function* (db: Kysely<Database>) {
  for (let after = ''; ; ) {
    const page = await listSealedMessages(db, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
};

const sealMessagesAnew = async ({ db, secretKeys }: SecretKeyOptions): Promise<number> => {
  const keys = sealingKeys(secretKeys, messageSealing);
  let count = 0;
  for await (const { id, sealed } of listMessages(db)) {
    // A row that cannot be opened is sealed under a newer key than this process knows.
    const to = opens(keys, sealed) ? sealAnew(keys, sealed) : undefined;
    if (to && (await updateSealedMessage(db, { id, from: sealed, to }))) count += 1;
  }
  return count;
};

/**
 * Seals under the first SECRET_KEY all rows that an older one sealed, and keeps the keys that were derived from older
 * ones and cannot be made anew: then the older ones can be retired. Each write is conditional on what was read, so
 * that the work may be ended and begun again, and several processes may do it at once. Answers the number of rows.
 * @throws Error when no SECRET_KEY opens a row.
 */
export const sealSecretsAnew = async (options: SecretKeyOptions): Promise<number> => {
  const { db, secretKeys } = options;
  // First: once rows are sealed anew, a process may start without the older keys.
  await keepFormerKeys(options);
  let count = 0;
  for (const { sealed, purpose, replace } of await listSealed(db)) {
    const to = sealAnew(sealingKeys(secretKeys, purpose), sealed);
    if (to && (await replace({ from: sealed, to }))) count += 1;
  }
  return count + (await sealMessagesAnew(options));
};

/** How many rows are sealed under another SECRET_KEY than the first. */
export const countSealedUnderOlder = async ({ db, secretKeys }: SecretKeyOptions): Promise<number> => {
  const isOlder = (purpose: string, sealed: string) =>
    !opens(sealingKeys(secretKeys, purpose).slice(0, 1), sealed);
  let count = (await listSealed(db)).filter(({ purpose, sealed }) => isOlder(purpose, sealed)).length;
  for await (const { sealed } of listMessages(db)) if (isOlder(messageSealing, sealed)) count += 1;
  return count;
};
