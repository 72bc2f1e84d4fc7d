import type { Kysely } from 'kysely';
import {
  listSealedRevocations,
  updateSealedRevocation,
} from '../../federation/revocation/identity-revocation.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { hasTable } from '../../ground/db/migrate.ts';
import { opens, sealAnew, sealingKeys } from '../../ground/seal.ts';
import { findSealedSalt, updateSealedSalt } from '../../link/pairwise-salt/pairwise-salt.repository.ts';
import { listSigningKeys, updateSealedJwk } from '../../link/signing-key/signing-key.repository.ts';
import {
  sealedHeaders,
  sealedServiceAccounts,
  sealedWebhookSecrets,
} from '../../link/stream/sealed-stream.repository.ts';
import {
  listSealedPieces,
  updateSealedPiece,
} from '../../person/account-export/account-export.repository.ts';
import { listSealedMessages, updateSealedMessage } from '../../person/delivery/message.repository.ts';
import {
  listSealedTokens,
  updateSealedToken,
} from '../../person/federated-identity/sealed-token.repository.ts';
import { listSealedTotps, updateSealedTotp } from '../../person/second-factor/totp.repository.ts';
import { listKeptKeys, updateKeptKey } from './kept-key.repository.ts';
import { keepFormerKeys } from './kept-key.service.ts';
import { requireOpened, type SealedText, sealedColumns, sealedTextOf } from './sealed-columns.ts';

export interface SecretKeyOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
}

/** A sealed text of the database. */
interface Sealed extends SealedText {
  /** Replaces the text unless it has changed since; answers whether it was replaced. */
  replace(change: { from: string; to: string }): Promise<boolean>;
}

/** All kinds but those that pass. */
const listSealed = async (db: Kysely<Database>): Promise<Sealed[]> => {
  const salt = (await hasTable(db, 'pairwise_salt')) ? await findSealedSalt(db) : undefined;
  const rows = {
    signing_key: (await hasTable(db, 'signing_key')) ? await listSigningKeys(db) : [],
    pairwise_salt: salt === undefined ? [] : [{ sealed_salt: salt }],
    kept_key: (await hasTable(db, 'kept_key')) ? await listKeptKeys(db) : [],
  };
  const replacements = {
    signing_key: updateSealedJwk,
    pairwise_salt: updateSealedSalt,
    kept_key: updateKeptKey,
  };
  return (['signing_key', 'pairwise_salt', 'kept_key'] as const).flatMap((table) =>
    rows[table].flatMap((row) => {
      const text = sealedTextOf(table, { ...row });
      return text ? [{ ...text, replace: (change) => replacements[table](db, change) } satisfies Sealed] : [];
    }),
  );
};

/**
 * Is called before a process writes: a process that cannot open the sealed rows would seal new ones that no other
 * process can open.
 * @throws StartError that names the setting and the rows that SECRET_KEY does not open.
 */
export const requireSecretKey = async ({ db, secretKeys }: SecretKeyOptions): Promise<void> =>
  requireOpened(await listSealed(db), { secretKeys, where: 'this database' });

const PAGE = 100;

/** The kinds that pass, page by page. */
const passing = {
  message: { table: 'message', list: listSealedMessages, replace: updateSealedMessage },
  totp: { table: 'totp', list: listSealedTotps, replace: updateSealedTotp },
  stream_header: { table: 'signal_stream', ...sealedHeaders },
  stream_secrets: { table: 'signal_stream', ...sealedWebhookSecrets },
  stream_account: { table: 'signal_stream', ...sealedServiceAccounts },
  identity_revocation: {
    table: 'identity_revocation',
    list: listSealedRevocations,
    replace: updateSealedRevocation,
  },
  identity_token: { table: 'federated_identity', list: listSealedTokens, replace: updateSealedToken },
} as const;
const passingKinds = Object.keys(passing) as (keyof typeof passing)[];

const listPassing = async function* (db: Kysely<Database>, kind: keyof typeof passing) {
  for (let after = ''; ; ) {
    const page = await passing[kind].list(db, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
};

const listPieces = async function* (db: Kysely<Database>) {
  for (let after = { account_id: '', number: -1 }; ; ) {
    const page = await listSealedPieces(db, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last;
  }
};

export interface SealingWork {
  /** Is called after each row that was looked at. */
  onProgress?: (progress: { seen: number; sealedAnew: number }) => void;
  /** Ends the work between two rows. What was sealed anew stays, and the next run does the rest. */
  signal?: AbortSignal;
}

/** Every sealed text, and how it is replaced. */
const walkSealed = async function* (db: Kysely<Database>): AsyncGenerator<Sealed & { passes: boolean }> {
  for (const each of await listSealed(db)) yield { ...each, passes: false };
  for (const kind of passingKinds) {
    const { purpose, nameOf } = sealedColumns[kind];
    if (!(await hasTable(db, passing[kind].table))) continue;
    for await (const { id, sealed } of listPassing(db, kind))
      yield {
        what: nameOf({ id }),
        sealed,
        purpose,
        replace: (change) => passing[kind].replace(db, { id, ...change }),
        passes: true,
      };
  }
  if (!(await hasTable(db, 'account_export_piece'))) return;
  const file = sealedColumns.account_export_piece;
  for await (const { sealed, ...piece } of listPieces(db))
    yield {
      what: file.nameOf(piece),
      sealed,
      purpose: file.purpose,
      replace: (change) => updateSealedPiece(db, { ...piece, ...change }),
      passes: true,
    };
};

/**
 * Seals under the first SECRET_KEY all rows that an older one sealed, and keeps the keys that were derived from older
 * ones and cannot be made anew: then the older ones can be retired. Each write is conditional on what was read, so
 * that the work may be ended and begun again, and several processes may do it at once. Answers the number of rows.
 * @throws Error when no SECRET_KEY opens a row; the reason of the signal.
 */
export const sealSecretsAnew = async (
  options: SecretKeyOptions,
  { onProgress, signal }: SealingWork = {},
): Promise<number> => {
  const { db, secretKeys } = options;
  // First: once rows are sealed anew, a process may start without the older keys.
  await keepFormerKeys(options);
  let seen = 0;
  let sealedAnew = 0;
  for await (const { sealed, purpose, replace, passes } of walkSealed(db)) {
    signal?.throwIfAborted();
    const keys = sealingKeys(secretKeys, purpose);
    // A row that cannot be opened is sealed under a newer key than this process knows.
    const to = passes && !opens(keys, sealed) ? undefined : sealAnew(keys, sealed);
    if (to && (await replace({ from: sealed, to }))) sealedAnew += 1;
    seen += 1;
    onProgress?.({ seen, sealedAnew });
  }
  return sealedAnew;
};

/**
 * How many rows are sealed under each SECRET_KEY, in the order of the list; the last number is that of rows which none
 * of them opens.
 */
export const countSealedByKey = async ({ db, secretKeys }: SecretKeyOptions): Promise<number[]> => {
  const counts = [...secretKeys.map(() => 0), 0];
  for await (const { sealed, purpose } of walkSealed(db)) {
    const opening = sealingKeys(secretKeys, purpose).findIndex((key) => opens([key], sealed));
    const at = opening === -1 ? secretKeys.length : opening;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
};
