import { opens, sealingKeys } from '../../ground/seal.ts';
import { StartError } from '../../ground/start-error.ts';
import { saltSealing } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import { signingKeySealing } from '../../link/signing-key/signing-key.service.ts';
import { streamSealing } from '../../link/stream/webhook-secret.ts';
import { exportSealing } from '../../person/account-export/account-export.repository.ts';
import { messageSealing } from '../../person/delivery/message-queue.ts';
import { refreshTokenSealing } from '../../person/federated-identity/refresh-token-sealing.ts';
import { totpSealing } from '../../person/second-factor/totp-sealing.ts';
import { keptKeySealing } from './kept-key.service.ts';

/** What is sealed: a table, or one of several columns of a table. */
export type SealedKind =
  | 'signing_key'
  | 'pairwise_salt'
  | 'kept_key'
  | 'message'
  | 'totp'
  | 'account_export_piece'
  | 'stream_header'
  | 'stream_secrets'
  | 'stream_account'
  | 'identity_token'
  | 'identity_revocation';

interface SealedColumn {
  /** Where the kind is not called as its table. */
  table?: string;
  column: string;
  /** The purpose of its sealing keys. */
  purpose: string;
  /** What a row of it is called. */
  nameOf(row: Readonly<Record<string, unknown>>): string;
  /** Rows come and go, and may be many: one that cannot be opened keeps no process from starting. */
  passes?: true;
}

/** Every column that holds a text sealed under SECRET_KEY. A test compares it with the schema. */
export const sealedColumns: Readonly<Record<SealedKind, SealedColumn>> = {
  signing_key: {
    column: 'sealed_jwk',
    purpose: signingKeySealing,
    nameOf: ({ kid }) => `the signing key ${kid}`,
  },
  pairwise_salt: {
    column: 'sealed_salt',
    purpose: saltSealing,
    nameOf: () => 'the salt of pairwise subjects',
  },
  kept_key: {
    column: 'sealed_key',
    purpose: keptKeySealing,
    nameOf: ({ purpose }) => `the key of ${purpose}`,
  },
  message: {
    column: 'sealed',
    purpose: messageSealing,
    nameOf: ({ id }) => `the message ${id}`,
    passes: true,
  },
  account_export_piece: {
    column: 'sealed',
    purpose: exportSealing,
    nameOf: ({ account_id }) => `a piece of the file of the account ${account_id}`,
    passes: true,
  },
  totp: {
    column: 'sealed_secret',
    purpose: totpSealing,
    nameOf: ({ id }) => `the authenticator app of the account ${id}`,
    passes: true,
  },
  stream_header: {
    table: 'signal_stream',
    column: 'authorization_header_sealed',
    purpose: streamSealing,
    nameOf: ({ id }) => `the header of the stream ${id}`,
    passes: true,
  },
  stream_secrets: {
    table: 'signal_stream',
    column: 'webhook_secrets_sealed',
    purpose: streamSealing,
    nameOf: ({ id }) => `the secrets of the stream ${id}`,
    passes: true,
  },
  stream_account: {
    table: 'signal_stream',
    column: 'service_account_sealed',
    purpose: streamSealing,
    nameOf: ({ id }) => `the service account of the stream ${id}`,
    passes: true,
  },
  identity_revocation: {
    column: 'refresh_token_sealed',
    purpose: refreshTokenSealing,
    nameOf: ({ id }) => `the refresh token that is to be revoked as ${id}`,
    passes: true,
  },
  identity_token: {
    table: 'federated_identity',
    column: 'refresh_token_sealed',
    purpose: refreshTokenSealing,
    nameOf: ({ id }) => `the refresh token of the way in ${id}`,
    passes: true,
  },
};

/** A text that was sealed under SECRET_KEY, and what it is. */
export interface SealedText {
  what: string;
  sealed: string;
  purpose: string;
}

/**
 * The sealed text of a row of any table, where SECRET_KEY has to open it before a process may start.
 * @param row the row's columns by name.
 */
export const sealedTextOf = (
  table: string,
  row: Readonly<Record<string, unknown>>,
): SealedText | undefined => {
  const found = Object.entries(sealedColumns).find(([name]) => name === table)?.[1];
  if (!found || found.passes) return undefined;
  return { what: found.nameOf(row), sealed: String(row[found.column]), purpose: found.purpose };
};

/**
 * @param where what holds the texts: `this database`.
 * @throws StartError that names the setting and the texts that SECRET_KEY does not open.
 */
export const requireOpened = (
  texts: readonly SealedText[],
  { secretKeys, where }: { secretKeys: readonly string[]; where: string },
): void => {
  const closed = texts.filter(({ sealed, purpose }) => !opens(sealingKeys(secretKeys, purpose), sealed));
  const [first] = closed;
  if (!first) return;
  const more = closed.length > 1 ? ` and ${closed.length - 1} more` : '';
  throw new StartError(
    `SECRET_KEY does not open ${first.what}${more} in ${where}: set the one that sealed it, beside others where there are several`,
  );
};
