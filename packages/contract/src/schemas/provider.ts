import * as z from 'zod/mini';
import { providerKinds } from '../rules/provider-kinds.ts';
import { Code, Identifier, Ticket } from './verification.ts';

/** An identity provider that people may sign in with. `name` is what people call it. */
const Provider = { id: z.string(), kind: z.enum(providerKinds), name: z.string() };

/** `last`: this browser signed in through it last. */
export const ProviderOffered = z.object({ ...Provider, last: z.optional(z.literal(true)) });
export type ProviderOffered = z.infer<typeof ProviderOffered>;

/**
 * Who came from a provider and has no way in here yet. It waits for 10 minutes in its interaction and browser.
 * - `new`: the person may get an account. With `emailProven` it gets `email`; otherwise `email`, where the provider told
 *   one, is an offer: a code proves it or another contact, or the account gets none.
 * - `existing-account`: an account has `email`, or had this way in before it was closed. Whoever signs in to it in this
 *   interaction, in any other way, adds the way in.
 */
export const ProviderArrival = z.object({
  ...Provider,
  state: z.enum(['new', 'existing-account']),
  /** When the person came. A way in that an account has since earlier was not added by this arrival. */
  arrivedAt: z.iso.datetime(),
  email: z.optional(z.string()),
  emailProven: z.boolean(),
  /** What the provider calls the person. */
  nickname: z.optional(z.string()),
});
export type ProviderArrival = z.infer<typeof ProviderArrival>;

/**
 * `agreements` names each document accepted and its version. A contact beside it: exactly one of code and ticket, of the
 * purpose `register`. Where the provider proved an e-mail address, the account gets that one, and the body names none.
 */
export const RegisterFromProvider = z
  .strictObject({
    agreements: z.array(z.strictObject({ id: z.string(), version: z.string() })).check(z.maxLength(20)),
    identifier: z.optional(Identifier),
    code: z.optional(Code),
    ticket: z.optional(Ticket),
  })
  .check(
    z.refine(({ identifier, code, ticket }) =>
      identifier === undefined
        ? code === undefined && ticket === undefined
        : (code === undefined) !== (ticket === undefined),
    ),
  );

/**
 * A provider of the brand, for the person of a session. `linkedAt` is there where it opens the account; `email` is what
 * it told last; `closed`: it opens nothing until it is linked again, as the provider warned of it, or a link put it back.
 */
export const ProviderOfAccount = z.object({
  ...Provider,
  linkedAt: z.optional(z.iso.datetime()),
  lastUsedAt: z.optional(z.iso.datetime()),
  email: z.optional(z.string()),
  closed: z.optional(z.literal(true)),
});
export type ProviderOfAccount = z.infer<typeof ProviderOfAccount>;

export const ProviderList = z.object({ items: z.array(ProviderOfAccount) });
