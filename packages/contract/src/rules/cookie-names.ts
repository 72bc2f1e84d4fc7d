import { isHttps } from './is-https.ts';

/**
 * The names of the cookies of an origin. On https the prefix restricts a cookie to that origin, or to secure
 * connections (RFC 6265bis section 4.1.3).
 */
export const cookieNames = (origin: string) => {
  const secure = isHttps(origin);
  return {
    device: secure ? '__Host-device' : '_device',
    session: secure ? '__Host-session' : '_session',
    stepUp: secure ? '__Host-step_up' : '_step_up',
    /** Stands for a browser that is not asked for the second factor. */
    trust: secure ? '__Host-trust' : '_trust',
    /** Names the identity provider that the browser signed in through last. */
    provider: secure ? '__Host-provider' : '_provider',
    interaction: secure ? '__Secure-interaction' : '_interaction',
    resume: secure ? '__Secure-interaction_resume' : '_interaction_resume',
    /** Holds the path that a sign-in returns to, in one of a few slots. */
    signIn: (slot: number) => `${secure ? '__Host-' : '_'}sign_in.${slot}`,
  };
};
