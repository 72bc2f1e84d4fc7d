import { errors, interactionPolicy } from 'oidc-provider';
import { setAcr } from '../seam/answered-acr.ts';
import { answeredAcr, askedStrength, meets } from '../subject/authentication-context.ts';

const { Check } = interactionPolicy;

type Prompt = interactionPolicy.Prompt;

/** The reason of a prompt that asks for a stronger sign-in. */
export const ACR_CHECK = 'acr';

/** The key of the answer of a person who goes on with a weaker sign-in than the app wishes. */
export const WEAKER = 'weaker';

/**
 * Leads to a sign-in where the session is weaker than the app asks, and tells the app the class that it asked for.
 * An essential class is asked for until the session has it. A wish is asked for once, and never under prompt=none.
 * @throws UnmetAuthenticationRequirements where this server has none of the essential classes (OpenID Connect Core
 *   Unmet Authentication Requirements 1.0)
 */
const createStrengthCheck = () =>
  new Check(
    ACR_CHECK,
    'a stronger authentication of the End-User is required',
    'login_required',
    ({ oidc }) => {
      const asked = askedStrength(oidc.params ?? {});
      if (!asked) return Check.NO_NEED_TO_PROMPT;
      if (asked.classes.length === 0)
        throw new errors.UnmetAuthenticationRequirements('none of the requested acr values was met');
      if (!oidc.session?.accountId) return Check.NO_NEED_TO_PROMPT;
      setAcr(oidc, answeredAcr(oidc.session.acr, asked));
      if (meets(oidc.session.acr, asked)) return Check.NO_NEED_TO_PROMPT;
      if (asked.essential) return Check.REQUEST_PROMPT;
      const isSettled = oidc.prompts.has('none') || oidc.result?.login || oidc.result?.[WEAKER];
      return isSettled ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    },
  );

/** Puts the check of strength in the place of the engine's own, which know no order of classes. */
export const checkStrength = ({ checks }: Prompt): void => {
  checks.remove('essential_acrs');
  checks.remove('essential_acr');
  checks.add(createStrengthCheck(), 0);
};
