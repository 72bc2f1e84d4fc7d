import { createHash } from 'node:crypto';
import type { Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { deriveKey, open, seal } from '../../ground/seal.ts';
import type { AuthorizationRequest, ProviderAnswer } from '../identity-provider/provider-kind.ts';
import { providerAttemptRows } from './provider-attempt.repository.ts';

/** Where a way leads: back into an interaction, or to the account of a session. */
export type AttemptPlace = { interaction: string } | { session: string };

/** Who is on the way, and through which provider. */
interface AttemptAt {
  brand: string;
  provider: string;
  browserId: string;
}

/** What is kept of the request. */
type Kept = AttemptPlace & Pick<AuthorizationRequest, 'nonce' | 'codeVerifier' | 'anew'>;

/** Ways through identity providers. Each is good for 10 minutes and one answer, in one browser. */
export interface ProviderAttempts {
  /** Begins a way; answers what the provider is sent. */
  begin(
    at: AttemptAt,
    wish: { place: AttemptPlace; locale: Locale; anew: boolean },
  ): Promise<AuthorizationRequest>;
  /**
   * Keeps the first answer, which may come without cookies, and says where the browser goes on, also with one that comes
   * again or too late; undefined where nobody was sent to this provider with this `state`.
   */
  keepAnswer(
    at: Omit<AttemptAt, 'browserId'>,
    state: string,
    parameters: URLSearchParams,
  ): Promise<AttemptPlace | undefined>;
  /**
   * Takes an answer, for one caller alone.
   * @throws AppError provider_expired in another browser, and where it came too late; interaction_expired where it was
   *   taken before
   */
  takeAnswer(at: AttemptAt, state: string): Promise<ProviderAnswer & { place: AttemptPlace }>;
}

const keyOf = (state: string) => deriveKey(state, 'provider attempts');

/** RFC 7636 section 4.2. */
const challengeOf = (codeVerifier: string) => createHash('sha256').update(codeVerifier).digest('base64url');

const placeOf = (kept: Kept): AttemptPlace =>
  'interaction' in kept ? { interaction: kept.interaction } : { session: kept.session };

export const createProviderAttempts = ({
  db,
  now,
}: {
  db: Kysely<Database>;
  now: () => Date;
}): ProviderAttempts => {
  const readKept = (state: string, kept: string) => JSON.parse(open(keyOf(state), kept)) as Kept;

  return {
    begin: async ({ brand, provider, browserId }, { place, locale, anew }) => {
      const state = createOpaqueToken();
      const request = { nonce: createOpaqueToken(), codeVerifier: createOpaqueToken(), anew };
      const row = {
        state_hash: hashToken(state),
        brand,
        provider,
        device_hash: hashToken(browserId),
        kept: seal(keyOf(state), JSON.stringify({ ...place, ...request } satisfies Kept)),
        answer: null,
        taken_at: null,
        started_at: now(),
      };
      await providerAttemptRows.put(db, row, now());
      return { ...request, state, codeChallenge: challengeOf(request.codeVerifier), locale };
    },

    keepAnswer: async ({ brand, provider }, state, parameters) => {
      const own = { state_hash: hashToken(state), brand, provider };
      const answer = seal(keyOf(state), parameters.toString());
      const at = now();
      const row =
        (await providerAttemptRows.change(db, { ...own, answer: null, taken_at: null }, { answer }, at)) ??
        (await providerAttemptRows.findKept(db, own));
      return row && placeOf(readKept(state, row.kept));
    },

    takeAnswer: async ({ brand, provider, browserId }, state) => {
      const own = { state_hash: hashToken(state), brand, provider, device_hash: hashToken(browserId) };
      const found = await providerAttemptRows.findKept(db, own);
      if (!found) throw new AppError('provider_expired');
      const taken = { ...own, taken_at: null };
      const row = await providerAttemptRows.change(db, taken, { taken_at: now() }, now());
      // The other one of two answers goes on: where that led, the interaction knows.
      if (!row && found.taken_at) throw new AppError('interaction_expired');
      if (!row?.answer) throw new AppError('provider_expired');
      const kept = readKept(state, row.kept);
      const { nonce, codeVerifier, anew } = kept;
      const parameters = new URLSearchParams(open(keyOf(state), row.answer));
      const sent = { state, nonce, codeVerifier, anew, startedAt: row.started_at };
      return { ...sent, parameters, place: placeOf(kept) };
    },
  };
};
