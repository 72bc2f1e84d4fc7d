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

/** Something that stays in the database sealed under SECRET_KEY. */
interface Sealed {
  what: string;
  sealed: string;
  /** The purpose of its sealing keys. */
  purpose: string;
  /** Answers whether it still stood there as it was read. */
  replace(change: { from: string; to: string }): Promise<boolean>;
}

/** All but messages, which come and go. */
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
 * To be asked before anything is written: whoever cannot open what is there would seal what nobody else can.
 * @throws StartError naming the setting, and what SECRET_KEY does not open.
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
    // One that cannot be opened is of a newer key than this process knows.
    const to = opens(keys, sealed) ? sealAnew(keys, sealed) : undefined;
    if (to && (await updateSealedMessage(db, { id, from: sealed, to }))) count += 1;
  }
  return count;
};

/**
 * Seals anew, under the first SECRET_KEY, what is sealed under another, and keeps what the others were derived
 * for and cannot be made anew: then they can be retired. Each write is conditional on what was read, so that it
 * may be ended and begun again, and run beside others. Answers how much was sealed anew.
 * @throws Error when no SECRET_KEY opens something.
 */
export const sealSecretsAnew = async (options: SecretKeyOptions): Promise<number> => {
  const { db, secretKeys } = options;
  // First: what is sealed anew no longer needs the older keys, and a process may then start without them.
  await keepFormerKeys(options);
  let count = 0;
  for (const { sealed, purpose, replace } of await listSealed(db)) {
    const to = sealAnew(sealingKeys(secretKeys, purpose), sealed);
    if (to && (await replace({ from: sealed, to }))) count += 1;
  }
  return count + (await sealMessagesAnew(options));
};

/** How much is sealed under another SECRET_KEY than the first. */
export const countSealedUnderOlder = async ({ db, secretKeys }: SecretKeyOptions): Promise<number> => {
  const isOlder = (purpose: string, sealed: string) =>
    !opens(sealingKeys(secretKeys, purpose).slice(0, 1), sealed);
  let count = (await listSealed(db)).filter(({ purpose, sealed }) => isOlder(purpose, sealed)).length;
  for await (const { sealed } of listMessages(db)) if (isOlder(messageSealing, sealed)) count += 1;
  return count;
};
