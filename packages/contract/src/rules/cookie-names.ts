/**
 * The names of the cookies of an origin. On https the browser holds the prefixed ones to that origin, or to secure
 * connections (RFC 6265bis section 4.1.3).
 */
export const cookieNames = (origin: string) => {
  const secure = origin.startsWith('https:');
  return {
    device: secure ? '__Host-device' : '_device',
    session: secure ? '__Host-session' : '_session',
    stepUp: secure ? '__Host-step_up' : '_step_up',
    interaction: secure ? '__Secure-interaction' : '_interaction',
    resume: secure ? '__Secure-interaction_resume' : '_interaction_resume',
    /** Where a sign-in goes back to, in one of a few slots. */
    signIn: (slot: number) => `${secure ? '__Host-' : '_'}sign_in.${slot}`,
  };
};
