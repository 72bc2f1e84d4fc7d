/**
 * The classes of a sign-in (`acr`), from the weakest to the strongest: a password; a code or a registration; two
 * factors; a passkey; a passkey that is bound to its device. `phr` and `phrh` are those of OpenID Connect Extended
 * Authentication Profile ACR Values 1.0.
 */
export const authenticationClasses = ['pwd', 'otp', 'mfa', 'phr', 'phrh'] as const;
export type AuthenticationClass = (typeof authenticationClasses)[number];

/** The classes for which a password and a code of a contact are not enough. */
export const strongClasses = ['mfa', 'phr', 'phrh'] as const satisfies readonly AuthenticationClass[];
