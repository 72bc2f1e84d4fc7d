import {
  type AuthenticationClass,
  authenticationClasses,
  byStrength,
  isAtLeast,
} from '@candela/contract/rules/authentication-classes';

/** What an app asks of a sign-in. */
export interface AskedStrength {
  /** The app goes on with nothing weaker (OpenID Connect Core section 5.5.1); else it is a wish. */
  essential: boolean;
  /** The classes that this server has, of those that the app named: at least one, but for an essential request. */
  classes: readonly AuthenticationClass[];
}

const isClass = (value: unknown): value is AuthenticationClass =>
  (authenticationClasses as readonly unknown[]).includes(value);

/** The strongest class of a sign-in, by its methods (RFC 8176). */
export const acrOf = (amr: readonly string[]): AuthenticationClass => {
  if (amr.includes('hwk')) return 'phrh';
  if (amr.includes('swk')) return 'phr';
  if (amr.includes('mfa')) return 'mfa';
  return amr.includes('otp') ? 'otp' : 'pwd';
};

interface AcrRequest {
  essential?: boolean;
  value?: unknown;
  values?: unknown;
}

/** The request for `acr` in a claims parameter, of the form that the engine has checked. */
const acrRequestOf = (claims: unknown): AcrRequest => {
  if (typeof claims !== 'string') return {};
  const { id_token: idToken } = JSON.parse(claims) as { id_token?: { acr?: AcrRequest | null } };
  return idToken?.acr ?? {};
};

const namesOf = ({ value, values }: AcrRequest): unknown[] | undefined => {
  if (Array.isArray(values)) return values;
  return value === undefined ? undefined : [value];
};

/**
 * What the parameters of an authorization request ask of the sign-in (OpenID Connect Core sections 3.1.2.1 and 5.5.1.1);
 * undefined where every class will do. An essential claim goes before `acr_values`. Wishes for unknown classes do not
 * count.
 */
export const askedStrength = (params: Readonly<Record<string, unknown>>): AskedStrength | undefined => {
  const request = acrRequestOf(params.claims);
  const claimed = namesOf(request);
  if (request.essential && claimed) return { essential: true, classes: claimed.filter(isClass) };
  const wished = typeof params.acr_values === 'string' ? params.acr_values.split(' ') : claimed;
  const classes = (wished ?? []).filter(isClass);
  return classes.length > 0 ? { essential: false, classes } : undefined;
};

/** The weakest class that the app takes; undefined where it names none of this server. */
export const weakestAsked = ({ classes }: AskedStrength): AuthenticationClass | undefined =>
  byStrength(classes)[0];

/** Whether a sign-in of the class `held` is one that the app takes: a stronger class stands for a weaker one. */
export const meets = (held: string | undefined, { classes }: AskedStrength): boolean =>
  classes.some((asked) => isAtLeast(held, asked));

/**
 * The `acr` that the app is told: of the classes that it named, the strongest that the sign-in satisfies. Apps and APIs
 * compare names (OpenID Connect Core section 5.5.1.1, RFC 9470 section 3). Where none is satisfied, the class itself.
 */
export const answeredAcr = (held: string | undefined, { classes }: AskedStrength): string | undefined =>
  byStrength(classes).findLast((asked) => isAtLeast(held, asked)) ?? held;
