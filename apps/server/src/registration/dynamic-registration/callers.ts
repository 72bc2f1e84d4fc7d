import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import { openPolicy, type RegistrationPolicy } from '../../clients/registration-token/registration-policy.ts';
import type { RegistrationTokenService } from '../../clients/registration-token/registration-token.service.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import { type RateLimit, requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { type FoundDynamicClient, findDynamicClient } from './dynamic-client.repository.ts';
import { disabledClient, RegistrationRefusal } from './registration-refusal.ts';

/** Where and by whom a request was made. */
export interface RegistrationCall {
  brand: { id: string; origin: string };
  address: string;
  /** The bearer token of the request; undefined without an Authorization header, empty for one without such a token. */
  token: string | undefined;
}

export interface ManagementCall extends RegistrationCall {
  clientId: string;
}

export interface CallersOptions {
  db: Kysely<Database>;
  tokens: RegistrationTokenService;
  /** Whether clients register themselves without an initial access token, too. */
  isOpen: boolean;
  now: () => Date;
  events: EventSink;
}

/** What holds for a client that registers itself. */
interface Terms {
  policy: RegistrationPolicy;
  actor: Actor;
  /** The initial access token; null: it needs none. */
  tokenId: string | null;
}

interface Managed extends Omit<Terms, 'tokenId'> {
  found: FoundDynamicClient;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
const PER_ADDRESS = { limit: 300, windowSeconds: HOUR };
const PER_TOKEN = { limit: 200, windowSeconds: HOUR };
/** So often an address tries to register a client without a token. */
const OPEN_PER_ADDRESS = { limit: 30, windowSeconds: HOUR };
/** So many clients register themselves without a token at all. */
const OPEN_OF_ALL: readonly RateLimit[] = [
  { key: 'registration-open-hour', limit: 1_000, windowSeconds: HOUR },
  { key: 'registration-open-day', limit: 5_000, windowSeconds: DAY },
];

/** Who registered a client, by the name of the initial access token; null: it needed none. */
export const actorOf = (name: string | null): Actor => ({
  kind: 'registration',
  ...(name !== null && { id: name }),
});

const missingToken = () =>
  new RegistrationRefusal(
    'invalid_token',
    'send an initial access token, which an operator issues, as "Authorization: Bearer ..."',
  );

const unknownToken = () =>
  new RegistrationRefusal(
    'invalid_token',
    'the initial access token is unknown, used up, expired or revoked',
  );

const unknownAccess = () =>
  new RegistrationRefusal(
    'invalid_token',
    'this is not the registration access token of a client at this address',
  );

/** Says who may call, and what holds for them. */
export const createCallers = ({ db, tokens, isOpen, now, events }: CallersOptions) => {
  const requireLimits = (limits: readonly RateLimit[]) => requireRateLimits(db, limits, now(), events);
  const requireCalls = (address: string) =>
    requireLimits(addressLimits('registration', address, PER_ADDRESS));

  const requireOpen = async (address: string): Promise<Terms> => {
    if (!isOpen) throw missingToken();
    await requireLimits(addressLimits('registration-open', address, OPEN_PER_ADDRESS));
    return { policy: openPolicy, actor: actorOf(null), tokenId: null };
  };

  /** The initial access token of the request, or that it needs none. */
  const requireInitial = async ({ token, brand, address }: RegistrationCall): Promise<Terms> => {
    await requireCalls(address);
    if (token === undefined) return requireOpen(address);
    if (token === '') throw missingToken();
    const initial = await tokens.findGood(token, brand.id);
    if (!initial) throw unknownToken();
    const { id, name, policy } = initial;
    await requireLimits([{ key: `registration-token ${id}`, ...PER_TOKEN }]);
    return { policy, actor: actorOf(name), tokenId: id };
  };

  /** The client whose registration access token the request has. */
  const requireManaged = async ({ token, brand, address, clientId }: ManagementCall): Promise<Managed> => {
    await requireCalls(address);
    const found = token === undefined ? undefined : await findDynamicClient(db, clientId, hashToken(token));
    const initial = found?.token_id ? await tokens.findById(found.token_id) : undefined;
    const policy = found?.token_id === null ? openPolicy : initial?.policy;
    const isHere = (found?.brand ?? brand.id) === brand.id;
    const hasEnded = found?.ends_at && found.ends_at <= now();
    if (!found || !policy || !isHere || hasEnded) throw unknownAccess();
    if (found.disabled) throw disabledClient();
    return { found, policy, actor: actorOf(initial?.name ?? null) };
  };

  /**
   * Counts a client in the transaction that makes it: what is refused uses up neither the token nor what strangers share.
   * @param tokenId null: it is made without a token
   */
  const countMade = async (trx: Kysely<Database>, tokenId: string | null): Promise<void> => {
    if (tokenId === null) return requireRateLimits(trx, OPEN_OF_ALL, now(), events);
    if (!(await tokens.use(trx, tokenId))) throw unknownToken();
  };

  return { requireInitial, requireManaged, countMade };
};

export type Callers = ReturnType<typeof createCallers>;
