import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import type { RegistrationPolicy } from './registration-policy.ts';
import {
  findRegistrationToken,
  findRegistrationTokenByHash,
  insertRegistrationToken,
  listRegistrationTokens,
  updateRevoked,
  updateUses,
} from './registration-token.repository.ts';
import type { RegistrationTokenRow } from './registration-token.table.ts';

/** An initial access token, without its value. */
export interface RegistrationToken {
  id: string;
  name: string;
  policy: RegistrationPolicy;
  maxUses: number;
  uses: number;
  createdAt: string;
  expiresAt: string;
  /** `used`: it registered as many clients as it may. */
  state: 'good' | 'used' | 'expired' | 'revoked';
}

export interface TokenDraft {
  name: string;
  policy: RegistrationPolicy;
  /** How many clients it may register. */
  maxUses: number;
  expiresAt: Date;
}

/** Initial access tokens (RFC 7591 section 3): whoever holds one may register clients within its policy. */
export interface RegistrationTokenService {
  /** Makes a token. Its value is in this answer only; the database keeps its hash. */
  create(draft: TokenDraft): Promise<RegistrationToken & { token: string }>;

  /** All tokens, the newest first. */
  list(): Promise<RegistrationToken[]>;

  /** Ends a token; its clients stay. Answers false where no token has the id, or it was revoked before. */
  revoke(id: string): Promise<boolean>;

  /** The token of that value, if it is good at the brand. */
  findGood(value: string, brand: string): Promise<RegistrationToken | undefined>;

  /** The token by which a client was registered, whatever became of it. */
  findById(id: string): Promise<RegistrationToken | undefined>;

  /** Counts a use, in the transaction that registers. Answers whether the token was still good for it. */
  use(trx: Kysely<Database>, id: string): Promise<boolean>;
}

export interface RegistrationTokenServiceOptions {
  db: Kysely<Database>;
  now: () => Date;
  events?: EventSink | undefined;
}

const stateOf = (row: RegistrationTokenRow, now: Date): RegistrationToken['state'] => {
  if (row.revoked_at) return 'revoked';
  if (row.uses >= row.max_uses) return 'used';
  return row.expires_at > now ? 'good' : 'expired';
};

const toRegistrationToken = (row: RegistrationTokenRow, now: Date): RegistrationToken => ({
  id: row.id,
  name: row.name,
  policy: row.policy,
  maxUses: row.max_uses,
  uses: row.uses,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  state: stateOf(row, now),
});

export const createRegistrationTokenService = ({
  db,
  now,
  events,
}: RegistrationTokenServiceOptions): RegistrationTokenService => ({
  create: async (draft) => {
    const token = createOpaqueToken();
    const id = randomBytes(6).toString('hex');
    const row = await insertRegistrationToken(db, { ...draft, id, hash: hashToken(token) });
    events?.emit('registration_token.created', { detail: id });
    return { ...toRegistrationToken(row, now()), token };
  },

  list: async () => (await listRegistrationTokens(db)).map((row) => toRegistrationToken(row, now())),

  revoke: async (id) => {
    const isRevoked = await updateRevoked(db, id, now());
    if (isRevoked) events?.emit('registration_token.revoked', { detail: id });
    return isRevoked;
  },

  findGood: async (value, brand) => {
    const row = await findRegistrationTokenByHash(db, hashToken(value));
    const token = row && toRegistrationToken(row, now());
    const isGood = token?.state === 'good' && (token.policy.brand ?? brand) === brand;
    return isGood ? token : undefined;
  },

  findById: async (id) => {
    const row = await findRegistrationToken(db, id);
    return row && toRegistrationToken(row, now());
  },

  use: (trx, id) => updateUses(trx, id, now()),
});
