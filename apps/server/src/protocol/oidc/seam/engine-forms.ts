import type { KoaContextWithOIDC } from 'oidc-provider';

type EngineSession = NonNullable<KoaContextWithOIDC['oidc']['session']>;

/** The id of the form that the engine makes to confirm a logout. */
export const LOGOUT_FORM = 'op.logoutForm';

/** The token that the engine's form sends back as `xsrf`; undefined where the session has no form. */
export const formTokenOf = (session: EngineSession | undefined): string | undefined => {
  const secret = session?.state?.secret;
  return typeof secret === 'string' ? secret : undefined;
};

/** Gives the session a form: the engine takes the form whose `xsrf` is this token, and saves the session. */
export const setFormToken = (session: EngineSession, token: string): void => {
  session.state = { secret: token };
};

/** A session's payload with its form token changed; the same payload where it has none. */
export const mapFormToken = (
  payload: Readonly<Record<string, unknown>>,
  change: (token: string) => string,
): Readonly<Record<string, unknown>> => {
  const { state } = payload as { state?: { secret?: unknown } };
  if (typeof state?.secret !== 'string') return payload;
  return { ...payload, state: { ...state, secret: change(state.secret) } };
};

/** Keeps the engine from saving the session at the end of the request for what it changed in it so far. */
export const leaveUnsaved = (session: EngineSession): void => {
  Object.assign(session, { touched: false });
};

/** Whether a body is a form of the engine's that its own script submits: the form that leads on, or to the app. */
export const isSelfSubmitting = (body: unknown): body is string =>
  typeof body === 'string' && body.includes('document.forms[0].submit()');

/** The error, and its description, in a form that a browser posts to the app (OAuth 2.0 Form Post Response Mode). */
export const ERROR_FIELD = /<input type="hidden" name="error" value="[^"]*"\/>/;
export const DESCRIPTION_FIELD = /\s*<input type="hidden" name="error_description" value="[^"]*"\/>/;
