/**
 * The classes of a sign-in (`acr`), from the weakest to the strongest: a password; a code or a registration; two
 * factors; a passkey; a passkey that is bound to its device. `phr` and `phrh` are those of OpenID Connect Extended
 * Authentication Profile ACR Values 1.0.
 */
export const authenticationClasses = ['pwd', 'otp', 'mfa', 'phr', 'phrh'] as const;
export type AuthenticationClass = (typeof authenticationClasses)[number];

const rankOf = (name: string | undefined): number =>
  Math.max(0, (authenticationClasses as readonly (string | undefined)[]).indexOf(name));

/** Whether a sign-in of the class `held` is as strong as `asked`, or stronger. One of unknown class is the weakest. */
export const isAtLeast = (held: string | undefined, asked: AuthenticationClass): boolean =>
  rankOf(held) >= rankOf(asked);

/** The classes, from the weakest to the strongest. */
export const byStrength = (classes: readonly AuthenticationClass[]): AuthenticationClass[] =>
  classes.toSorted((a, b) => rankOf(a) - rankOf(b));

/** The classes for which a password and a code of a contact are not enough. */
export const strongClasses = ['mfa', 'phr', 'phrh'] as const satisfies readonly AuthenticationClass[];
export type StrongClass = (typeof strongClasses)[number];
