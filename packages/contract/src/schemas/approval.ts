import * as z from 'zod/mini';

const text = (most: number) => z.string().check(z.maxLength(most, 'invalid_request'));

/** What a platform asked the brand's own app for, by the names of an authorization request. */
export const Approve = z.strictObject({
  client_id: text(200),
  redirect_uri: text(2048),
  /** Absent or blank: the client's default, as in an authorization request without it. */
  scope: z.optional(text(2048)),
  /** Taken so that a request can be passed on as it came. The app itself returns it to the platform. */
  state: z.optional(text(4096)),
  /** S256 always (RFC 7636 section 4.2). */
  code_challenge: z.optional(z.string().check(z.regex(/^[\w-]{43}$/, 'invalid_request'))),
  code_challenge_method: z.optional(z.literal('S256')),
});
export type Approve = z.infer<typeof Approve>;

/** The authorization code, which the client redeems within a minute. */
export const Approved = z.object({ code: z.string() });
