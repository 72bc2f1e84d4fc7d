import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';

const { Check } = interactionPolicy;

/** How the last sign-in was proven: by a password, or by a code sent to an address the account owns. */
export const acrValues = ['pwd', 'otp'] as const;

/** The authentication context class of a sign-in, by its methods (RFC 8176). A code outranks a password. */
export const acrOf = (amr: readonly string[]): (typeof acrValues)[number] =>
  amr.includes('otp') ? 'otp' : 'pwd';

/** The classes that the app accepts (OpenID Connect Core section 5.5.1.1); undefined where it accepts any. */
const essentialClasses = ({ oidc }: KoaContextWithOIDC): unknown[] | undefined => {
  const asked = oidc.claims.id_token?.acr;
  if (!asked?.essential) return undefined;
  if (Array.isArray(asked.values)) return asked.values;
  return asked.value === undefined ? undefined : [asked.value];
};

/**
 * The engine asks for a new sign-in where the session has none of the classes that the app accepts. This check ends the
 * request where this server has none of them, or where the person has just signed in by another class.
 * @throws UnmetAuthenticationRequirements (OpenID Connect Core Unmet Authentication Requirements 1.0)
 */
export const createAcrCheck = () =>
  new Check('unmet_acr', 'requested ACR cannot be met', (ctx) => {
    const classes = essentialClasses(ctx);
    if (!classes) return Check.NO_NEED_TO_PROMPT;
    const isKnown = classes.some((name) => (acrValues as readonly unknown[]).includes(name));
    if (!isKnown || (ctx.oidc.result?.login && !classes.includes(ctx.oidc.acr)))
      throw new errors.UnmetAuthenticationRequirements('none of the requested acr values was met');
    return Check.NO_NEED_TO_PROMPT;
  });
