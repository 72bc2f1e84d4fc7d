import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Brand } from '../../../branding/brand/brand.ts';
import type { ClientService } from '../../../clients/client/client.service.ts';
import type { RequestFacts } from '../../../ground/browser/request-facts.ts';
import { noteOutage } from '../../../ground/db/outage.ts';
import { policyOf } from '../client/client-policy.ts';
import { scopesOfLink } from '../request/default-scope.ts';
import { currentUnit } from '../storage/unit.ts';
import { type GoogleAssertion, readGoogleAssertion } from './google-assertion.ts';
import { type GoogleKeys, KeysUnreachable } from './google-keys.ts';
import type { GoogleLinking, GoogleLinks } from './google-links.ts';

/** What Google sends beside the credentials of the client. `consent_code` and `response_type` say nothing here. */
export const googleParameters = ['intent', 'assertion', 'scope', 'consent_code', 'response_type'];

export interface GoogleGrantOptions {
  brand: Brand;
  clients: Pick<ClientService, 'findClient'>;
  google: { keys: GoogleKeys; links: GoogleLinks; facts(ctx: KoaContextWithOIDC): RequestFacts };
}

type Intent = 'check' | 'get' | 'create';

const intents: readonly string[] = ['check', 'get', 'create'] satisfies Intent[];
const isIntent = (value: unknown): value is Intent => typeof value === 'string' && intents.includes(value);

/** @throws InvalidRequest */
const readParameters = ({ oidc }: KoaContextWithOIDC) => {
  const { intent, assertion, scope } = oidc.params ?? {};
  if (!isIntent(intent)) throw new errors.InvalidRequest('intent must be check, get or create');
  if (typeof assertion !== 'string') throw new errors.InvalidRequest('assertion is missing');
  return { intent, assertion, scope };
};

/** Google opens the authorization endpoint, and hands the hint on. */
const askPerson = (ctx: KoaContextWithOIDC, { email }: GoogleAssertion) => {
  ctx.status = 401;
  ctx.body = { error: 'linking_error', login_hint: email.display };
};

const answerKnown = (ctx: KoaContextWithOIDC, isKnown: boolean) => {
  const unit = currentUnit();
  if (unit) unit.noted.onlyAsked = true;
  ctx.status = isKnown ? 200 : 404;
  ctx.body = { account_found: String(isKnown) };
};

const registrationOf = async (
  { oidc }: KoaContextWithOIDC,
  { brand, clients }: GoogleGrantOptions,
): Promise<Pick<GoogleLinking, 'registered' | 'engine'>> => {
  const engine = oidc.client;
  const registered = engine && (await clients.findClient(engine.clientId, brand.id));
  if (!engine || !registered) throw new errors.InvalidClient('the client is gone');
  return { registered, engine };
};

/**
 * Streamlined linking, by Google's page "Streamlined linking with OAuth and Sign in with Google": Google asks whether a
 * person has an account, for tokens of that account, or for a new account. What needs the person is answered by
 * `linking_error`: Google then opens the browser.
 */
export const createGoogleGrant =
  (options: GoogleGrantOptions) =>
  async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { brand, google } = options;
    const { intent, assertion: jwt, scope } = readParameters(ctx);
    const { registered, engine } = await registrationOf(ctx, options);
    const { googleClientIds: audiences, googleKeysUri } = policyOf(engine);
    try {
      const assertion = await readGoogleAssertion(jwt, { audiences, keys: google.keys.of(googleKeysUri) });
      if (intent === 'check') return answerKnown(ctx, await google.links.isKnown({ registered, assertion }));
      const { provider } = ctx.oidc;
      const scopes = scopesOfLink(scope, registered.metadata);
      const facts = google.facts(ctx);
      const linking = { provider, brand, registered, engine, assertion, scopes, facts };
      const made = await (intent === 'get' ? google.links.relink(linking) : google.links.create(linking));
      if (made === 'person_is_asked') return askPerson(ctx, assertion);
      if (made === 'assertion_used') throw new errors.InvalidGrant('the assertion was used before');
      ctx.body = made;
    } catch (error) {
      noteOutage(error);
      const unit = currentUnit();
      if (!(error instanceof KeysUnreachable) || !unit) throw error;
      unit.noted.postponed = 'keys';
      ctx.status = 503;
    }
  };
