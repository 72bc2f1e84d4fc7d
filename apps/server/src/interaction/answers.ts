import type { ReturnTo } from '@candela/contract';
import type { Context } from 'koa';
import type { Kysely } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import type { Database } from '../db/database.ts';
import type { ConsentMemory, RememberedConsent } from '../grant/grant.service.ts';
import { factsOf, stateOf } from '../http/request-state.ts';
import { acrOf } from '../oidc/authentication-context.ts';
import { accountScopes, scopesOfClaims } from '../oidc/claims.ts';
import { finishInteraction, queueRememberedConsent } from '../oidc/finish-interaction.ts';
import { addToGrant, keysOf, type ResourceAnswer } from '../oidc/resource-answers.ts';
import { currentUnit } from '../oidc/unit-of-work.ts';
import type { AskedResource } from '../resource-server/asked-resources.ts';
import { accountScopesIn, claimsAsked } from './details.ts';
import type { OpenInteraction } from './open-interaction.ts';

export interface AnswersOptions {
  db: Kysely<Database>;
  consents: ConsentMemory;
}

export interface Approval {
  accountId: string;
  scopes: ReadonlySet<string>;
  /** What was asked of APIs, be it approved or not. */
  resources: readonly AskedResource[];
}

/** A sign-in, as `AuthenticationService` proved it. */
export interface SignIn {
  accountId: string;
  /** The account's session epoch before the proof was checked. */
  epoch: number;
  /** RFC 8176. */
  amr: string[];
}

const nothing: RememberedConsent = { approved: new Set(), declined: new Set() };

/** People decide by the scope's name: where two APIs have one of that name, it is approved for both. */
const answerOf = (resources: readonly AskedResource[], scopes: ReadonlySet<string>): ResourceAnswer[] =>
  resources.map((resource) => {
    const names = resource.scopes.map(({ name }) => name);
    return {
      identifier: resource.identifier,
      approved: names.filter((name) => scopes.has(name)),
      declined: names.filter((name) => !scopes.has(name)),
    };
  });

export type Answers = ReturnType<typeof createAnswers>;

/** The ways to answer an interaction, each of them once: who comes second is told `interaction_expired`. */
export const createAnswers = ({ db, consents }: AnswersOptions) => {
  const finish = async (
    ctx: Context,
    { uid, interaction }: OpenInteraction,
    prepare: () => Promise<InteractionResults>,
  ): Promise<ReturnTo> => {
    const brand = stateOf(ctx).brand.id;
    const sessionUid = interaction.session?.uid;
    await finishInteraction({ db, brand, uid, facts: factsOf(ctx), sessionUid }, prepare);
    return { returnTo: interaction.returnTo };
  };

  /** How the account of the session answered this client before. */
  const recall = async (
    ctx: Context,
    { client, interaction }: OpenInteraction,
  ): Promise<RememberedConsent> => {
    const accountId = interaction.session?.accountId;
    const key = accountId && { brand: stateOf(ctx).brand.id, accountId, clientId: client.id };
    return (key && (await consents.recall(key))) || nothing;
  };

  return {
    recall,

    /** By a sign-in, whichever prompt asked. */
    signedIn: (ctx: Context, opened: OpenInteraction, signIn: SignIn): Promise<ReturnTo> => {
      const { name } = opened.interaction.prompt;
      const answered = name === 'create' || name === 'select_account' ? { [name]: {} } : {};
      // The time is told: coming back from consent would otherwise count as a new authentication.
      const ts = Math.floor(Date.now() / 1000);
      const login = { ...signIn, acr: acrOf(signIn.amr), ts };
      return finish(ctx, opened, async () => ({ ...answered, login }));
    },

    /** As who is signed in; the time of authentication stays what it was. */
    selected: (ctx: Context, opened: OpenInteraction): Promise<ReturnTo> =>
      finish(ctx, opened, async () => ({ select_account: {} })),

    /** Always by a new grant: one approval can be withdrawn without touching another. */
    approved: async (
      ctx: Context,
      opened: OpenInteraction,
      { accountId, scopes, resources }: Approval,
    ): Promise<ReturnTo> => {
      const { provider, interaction, client } = opened;
      const brand = stateOf(ctx).brand.id;
      return finish(ctx, opened, async () => {
        const grant = new provider.Grant({ accountId, clientId: client.id });
        const asked = accountScopesIn(interaction.params);
        const declined = asked.filter((name) => !scopes.has(name));
        grant.addOIDCScope(asked.filter((name) => scopes.has(name)).join(' '));
        // Said to the engine too, or it asks for them again.
        if (declined.length > 0) grant.rejectOIDCScope(declined.join(' '));
        const claims = claimsAsked(interaction.params);
        const declinedScopes = scopesOfClaims(claims).filter((name) => !scopes.has(name));
        const isDeclined = (claim: string) => declinedScopes.includes(scopesOfClaims([claim])[0] ?? '');
        grant.addOIDCClaims(claims.filter((claim) => !isDeclined(claim)));
        if (claims.some(isDeclined)) grant.rejectOIDCClaims(claims.filter(isDeclined));
        const answer = answerOf(resources, scopes);
        addToGrant(grant, answer);
        const grantId = await grant.save();
        const unit = currentUnit();
        const isOfAccount = (name: string) => accountScopes.includes(name);
        const consent = {
          approved: new Set([...[...scopes].filter(isOfAccount), ...keysOf(answer, 'approved')]),
          declined: new Set([...declined, ...declinedScopes, ...keysOf(answer, 'declined')]),
        };
        if (unit) queueRememberedConsent(unit, { brand, accountId, clientId: client.id }, consent);
        return { consent: { grantId } };
      });
    },

    /** RFC 6749 section 4.1.2.1. */
    declined: (ctx: Context, opened: OpenInteraction): Promise<ReturnTo> =>
      finish(ctx, opened, async () => ({
        error: 'access_denied',
        error_description: 'the end-user declined the request',
      })),
  };
};
