import type { ReturnTo } from '@candela/contract';
import type { Context } from 'koa';
import type { InteractionResults } from 'oidc-provider';
import type { AskedResource } from '../../clients/resource-server/asked-resources.ts';
import type { ProviderArrivals } from '../../federation/arrival/provider-arrival.service.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { ConsentMemory, RememberedConsent } from '../../link/grant/grant.service.ts';
import type { Proof } from '../../person/step-up/proof.ts';
import { ACR_CHECK, WEAKER } from '../oidc/request/acr-checks.ts';
import type { Asked } from '../oidc/request/fill-grant.ts';
import type { FinishInteraction } from '../oidc/request/finish-interaction.ts';
import { queueRememberedAccount } from '../oidc/request/remember-account.ts';
import { saveApproval } from '../oidc/request/save-approval.ts';
import { currentUnit } from '../oidc/storage/unit.ts';
import { acrOf, askedStrength } from '../oidc/subject/authentication-context.ts';
import { accountScopesIn, claimsAsked } from './details.ts';
import type { OpenInteraction } from './open-interaction.ts';

export interface AnswersOptions {
  finishInteraction: FinishInteraction;
  consents: ConsentMemory;
  /** Absent where there are no identity providers. */
  arrivals?: Pick<ProviderArrivals, 'join'> | undefined;
  events: EventSink;
  now: () => Date;
}

interface Approval {
  accountId: string;
  /** The names of the account's scopes that are approved, and the keys of those of APIs. */
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
  /** What was proven, for the session to know. */
  provenBy: Proof;
  /** The account was made just now: no browser is strange to it. */
  isNew?: true;
}

/** The ways to answer an interaction, each of them once. @throws AppError interaction_expired for a second answer. */
export interface Answers {
  /** How the account of the session answered this client before. */
  recall(ctx: Context, opened: OpenInteraction): Promise<RememberedConsent>;
  /**
   * By a sign-in, whichever prompt asked. Where the app needs more than it, the engine asks again.
   * @param submitted what was typed, by which the browser remembers the account
   */
  signedIn(ctx: Context, opened: OpenInteraction, signIn: SignIn, submitted?: Identifier): Promise<ReturnTo>;
  /** As who is signed in; the time of authentication stays what it was. */
  selected(ctx: Context, opened: OpenInteraction): Promise<ReturnTo>;
  /** By an approval. It makes a new grant always: one approval can be withdrawn without touching another. */
  approved(ctx: Context, opened: OpenInteraction, approval: Approval): Promise<ReturnTo>;
  /**
   * By a refusal: of the request (RFC 6749 section 4.1.2.1), of an essential class (OpenID Connect Core Unmet
   * Authentication Requirements 1.0), or of a class that the app only wishes, with which the request goes on.
   */
  declined(ctx: Context, opened: OpenInteraction): Promise<ReturnTo>;
}

const nothing: RememberedConsent = { approved: new Set(), declined: new Set() };

const toLogin = (ctx: Context, signIn: SignIn) => ({
  ...signIn,
  deviceHash: hashToken(ensureBrowserId(ctx)),
  timeZone: factsOf(ctx).timeZone,
  acr: acrOf(signIn.amr),
  // Without a time of its own a return from consent would count as a new authentication.
  ts: Math.floor(databaseNow().getTime() / 1000),
});

const unmet = {
  error: 'unmet_authentication_requirements',
  error_description: 'the end-user did not sign in by any of the requested acr values',
};
const denied = { error: 'access_denied', error_description: 'the end-user declined the request' };

/** What a refusal means at this prompt. */
const toRefusal = ({
  interaction: { prompt, params, session },
  trace,
}: OpenInteraction): InteractionResults => {
  const asked = prompt.name === 'consent' ? undefined : askedStrength(params);
  if (asked?.essential) return unmet;
  const onlyWished = asked && prompt.reasons.every((reason) => reason === ACR_CHECK);
  return onlyWished && session?.accountId && !trace.switched ? { [WEAKER]: {} } : denied;
};

const askedIn = (
  { interaction: { params } }: OpenInteraction,
  resources: readonly AskedResource[],
): Asked => ({
  scopes: accountScopesIn(params),
  claims: claimsAsked(params),
  resources: resources.map(({ identifier, scopes: named }) => ({
    identifier,
    names: named.map(({ name }) => name),
  })),
});

export const createAnswers = ({
  finishInteraction,
  consents,
  arrivals,
  events,
  now,
}: AnswersOptions): Answers => {
  const finish = async (
    ctx: Context,
    { uid, interaction }: OpenInteraction,
    prepare: () => Promise<InteractionResults>,
  ): Promise<ReturnTo> => {
    const brand = stateOf(ctx).brand.id;
    const sessionUid = interaction.session?.uid;
    await finishInteraction({ brand, uid, facts: factsOf(ctx), sessionUid }, prepare);
    return { returnTo: interaction.returnTo };
  };

  return {
    recall: async (ctx, { client, interaction }) => {
      const accountId = interaction.session?.accountId;
      const key = accountId && { brand: stateOf(ctx).brand.id, accountId, clientId: client.id };
      return (key && (await consents.recall(key))) || nothing;
    },

    signedIn: async (ctx, opened, signIn, submitted) => {
      const { brand } = stateOf(ctx);
      const place = { brand, interaction: opened.uid, browserId: ensureBrowserId(ctx) };
      await arrivals?.join(place, signIn);
      const { name } = opened.interaction.prompt;
      const answered = name === 'create' || name === 'select_account' ? { [name]: {} } : {};
      const login = toLogin(ctx, signIn);
      return finish(ctx, opened, async () => {
        const unit = currentUnit();
        const { accountId, epoch } = signIn;
        const remembered = { accountId, epoch, browserId: ensureBrowserId(ctx), at: now() };
        if (unit && submitted) queueRememberedAccount(unit, { ...remembered, submitted });
        return { ...answered, login };
      });
    },

    selected: (ctx, opened) => finish(ctx, opened, async () => ({ select_account: {} })),

    approved: async (ctx, opened, { accountId, scopes, resources }) => {
      const brand = stateOf(ctx).brand.id;
      const { provider, client } = opened;
      const approval = { brand, accountId, client, asked: askedIn(opened, resources), approved: scopes };
      const answered = await finish(ctx, opened, async () => ({
        consent: { grantId: await saveApproval(provider, approval) },
      }));
      events.emit('consent.given', { accountId, brand, clientId: client.id });
      return answered;
    },

    declined: (ctx, opened) => finish(ctx, opened, async () => toRefusal(opened)),
  };
};
