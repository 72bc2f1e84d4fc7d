import * as z from 'zod/mini';
import { strongClasses } from '../rules/authentication-classes.ts';
import { prompts } from '../rules/prompts.ts';
import { Locale } from './locale.ts';
import { ProviderArrival, ProviderOffered } from './provider.ts';
import { SecondFactorWay } from './second-factor.ts';
import { ClientSummary, ScopeWords } from './session.ts';
import { Code, Identifier, Password, Ticket } from './verification.ts';

/** An account as this browser remembers it. No other browser is shown the identifier. */
export const RememberedAccount = z.object({
  id: z.string(),
  identifier: z.string(),
  nickname: z.optional(z.string()),
  avatar: z.optional(z.string()),
});
export type RememberedAccount = z.infer<typeof RememberedAccount>;

/**
 * `granted`: the scope was approved before. `optional`: the answer may leave the scope out. `absent`: the account has
 * no data for the scope. `key`, `resource` and `description` belong to a scope of an API.
 */
export const ScopeAsked = z.object({
  name: z.string(),
  /** The scope's name in an answer, because APIs may share the name of a scope; absent: `name`. */
  key: z.optional(z.string()),
  granted: z.boolean(),
  optional: z.boolean(),
  absent: z.optional(z.literal(true)),
  resource: z.optional(z.string()),
  description: ScopeWords,
  /** Why the app asks for it, in the app's own words: one line that nobody has checked. */
  reason: z.optional(z.string()),
});
export type ScopeAsked = z.infer<typeof ScopeAsked>;

/** A document to accept; a `separate` one has a checkbox of its own. */
export const Agreement = z.object({
  id: z.string(),
  version: z.string(),
  required: z.boolean(),
  separate: z.boolean(),
});
export type Agreement = z.infer<typeof Agreement>;

/** An authorization request that waits for a person. */
export const InteractionDetails = z.object({
  prompt: z.enum(prompts),
  client: ClientSummary,
  scopes: z.array(ScopeAsked),
  /** The account that is signed in; absent: nobody is, or the request asks for a new authentication. */
  account: z.optional(RememberedAccount),
  accounts: z.array(RememberedAccount),
  locale: Locale,
  loginHint: z.optional(z.string()),
  agreements: z.array(Agreement),
  /** Present where the request is a device's (RFC 8628): the code as the device shows it. */
  device: z.optional(z.object({ userCode: z.string() })),
  /**
   * Present where a first proof was right and a second factor is due: what passes it, and who signs in. Who came from an
   * identity provider typed no identifier.
   */
  secondFactor: z.optional(z.object({ ways: z.array(SecondFactorWay), identifier: z.optional(z.string()) })),
  /** Present where people may sign in with identity providers; in the order of the page's language. */
  providers: z.optional(z.array(ProviderOffered)),
  /** Present where somebody came from a provider in this browser and is not known here. */
  provider: z.optional(ProviderArrival),
  /** Present where the app asks for more than a password or a code: the weakest class that it takes. */
  insists: z.optional(z.enum(strongClasses)),
  expiresAt: z.iso.datetime(),
});
export type InteractionDetails = z.infer<typeof InteractionDetails>;

export const Verify = z.strictObject({
  identifier: Identifier,
  code: Code,
  purpose: z.enum(['login', 'register']),
});

/** Exactly one of password, code and ticket. */
export const Login = z
  .strictObject({
    identifier: Identifier,
    password: z.optional(Password),
    code: z.optional(Code),
    ticket: z.optional(Ticket),
  })
  .check(
    z.refine(
      (body) => [body.password, body.code, body.ticket].filter((value) => value !== undefined).length === 1,
    ),
  );

/** Exactly one of code and ticket; `agreements` names each document accepted and its version. */
export const Register = z
  .strictObject({
    identifier: Identifier,
    code: z.optional(Code),
    ticket: z.optional(Ticket),
    password: Password,
    agreements: z.array(z.strictObject({ id: z.string(), version: z.string() })).check(z.maxLength(20)),
  })
  .check(z.refine((body) => (body.code === undefined) !== (body.ticket === undefined)));

/** The approved scopes, by key or name; a name stands for all scopes of that name. Absent: every scope asked for. */
export const Consent = z.strictObject({
  scopes: z.optional(z.array(z.string().check(z.maxLength(800))).check(z.maxLength(100))),
});

/** The URL that the browser must navigate to, never fetch. */
export const ReturnTo = z.object({ returnTo: z.string() });
export type ReturnTo = z.infer<typeof ReturnTo>;
