import type { DeviceOutcome, DeviceProblem } from '@candela/contract';
import type { PathWith } from '@candela/contract/pages';
import { USER_CODE_MASK } from '@candela/contract/rules/user-code';
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { Configuration, ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { errors } from 'oidc-provider';
import { endpoints } from '../endpoints.ts';
import { formTokenOf, leaveUnsaved } from '../seam/engine-forms.ts';
import { serveAs } from '../seam/request-rewriting.ts';
import { refusalOfUserCode } from '../seam/user-code-errors.ts';
import { POLL_INTERVAL_SECONDS, TooManyUserCodes, USER_CODE_CHARSET } from './user-code.ts';

/** The page where a person answers for a device. The engine's page for the same purpose serves it. */
export const DEVICE_PAGE: PathWith<{ servedBy: 'device-flow' }> = '/device';
const ENGINE_PAGE = endpoints.code_verification;

/** More characters than any code has, separators included. */
const LONGEST_TYPED = 20;

/** The typed text without the characters that no code has. */
const typedCode = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(/\W/g, '').toUpperCase().slice(0, LONGEST_TYPED) : '';

interface PageState {
  userCode?: string;
  problem?: DeviceProblem;
  outcome?: DeviceOutcome;
  retryAfterSeconds?: number;
}

const devicePage = ({ userCode, problem, outcome, retryAfterSeconds }: PageState): string => {
  const search = new URLSearchParams({
    ...(userCode && { user_code: userCode }),
    ...(problem && { problem }),
    ...(outcome && { outcome }),
    ...(retryAfterSeconds && { retry_after: String(retryAfterSeconds) }),
  }).toString();
  return search ? `${DEVICE_PAGE}?${search}` : DEVICE_PAGE;
};

/** Answers a form with a redirect, so that loading the page again does not send the form twice. */
const leadTo = (ctx: Context, state: PageState) => {
  ctx.redirect(devicePage(state));
  ctx.status = 303;
};

const problemOf = (error: Error): DeviceProblem | undefined => {
  if (error instanceof TooManyUserCodes) return 'limited';
  if (error instanceof errors.SessionNotFound) return 'ended';
  // The form's token is missing, or belongs to another tab. Nothing was changed; a new form has a new token.
  if (error instanceof errors.InvalidRequest) return 'stale';
  const refusal = refusalOfUserCode(error);
  return refusal === 'aborted' ? undefined : refusal;
};

/** Ends the grant of an approval that failed. */
const dropApproval = async ({ oidc }: KoaContextWithOIDC) => {
  const grantId = oidc.entities.Interaction?.result?.consent?.grantId;
  const grant = grantId ? await oidc.provider.Grant.find(grantId) : undefined;
  await grant?.destroy();
};

/** The pages that the device flow asks for. */
export interface DevicePages {
  renderError: NonNullable<Configuration['renderError']>;
  /** The portal's page, on which a person enters the code of a device; its form sends `xsrf` back. */
  renderDevicePage(ctx: KoaContextWithOIDC, xsrf: string): Promise<void>;
}

/** The engine's configuration of the device flow (RFC 8628). Its only page is the portal's. */
export const createDeviceFlow = (
  pages: DevicePages,
): NonNullable<NonNullable<Configuration['features']>['deviceFlow']> => ({
  enabled: true,
  charset: USER_CODE_CHARSET,
  mask: USER_CODE_MASK,
  // No page shows what a device says about itself, so the server keeps nothing of it.
  deviceInfo: () => ({}),

  userCodeInputSource: async (ctx, _form, out?: ErrorOut, error?: Error) => {
    if (!error) return pages.renderDevicePage(ctx, formTokenOf(ctx.oidc.session) ?? '');
    // The engine has just put the token of another form into the session. A session was saved before that.
    if (ctx.oidc.session) leaveUnsaved(ctx.oidc.session);
    if (ctx.oidc.route === 'device_resume') await dropApproval(ctx);
    if (refusalOfUserCode(error) === 'aborted') return leadTo(ctx, { outcome: 'denied' });
    const problem = problemOf(error);
    if (!problem) {
      return pages.renderError(ctx, out ?? { error: 'server_error' }, error);
    }
    return leadTo(ctx, {
      userCode: typedCode(ctx.oidc.params?.user_code),
      problem,
      ...(error instanceof TooManyUserCodes && { retryAfterSeconds: error.retryAfterSeconds }),
    });
  },

  // A person confirms the code where they type it; the consent page shows the app, the code and the permissions.
  userCodeConfirmSource: async (ctx, _form, _client, _deviceInfo, userCode) =>
    leadTo(ctx, { userCode: typedCode(userCode) }),

  successSource: async (ctx) => leadTo(ctx, { outcome: 'connected' }),
});

/** Whether a request answers for a device, or begins to. */
export const isDeviceAnswer = ({ path }: Context): boolean =>
  path === ENGINE_PAGE || path.startsWith(`${ENGINE_PAGE}/`);

/** Leads back to the page where another answer was faster, or the session has ended. */
export const leadOvertaken = (ctx: Context, problem: DeviceProblem): void => leadTo(ctx, { problem });

/**
 * Serves `/device` by the engine's own page to a person who is signed in: the engine puts its form token into the
 * session.
 * A code in the address only fills in the field (RFC 8628 section 5.4).
 */
export const createDevicePage =
  (provider: Provider): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== ENGINE_PAGE && ctx.path !== DEVICE_PAGE) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const [userCode] = [ctx.query.user_code].flat();
    if (ctx.path === ENGINE_PAGE) return leadTo(ctx, { userCode: typedCode(userCode) });
    const session = await provider.Session.get(ctx);
    if (!session.accountId) {
      const returnTo = devicePage({ userCode: typedCode(userCode) });
      ctx.redirect(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
      ctx.status = 303;
      return;
    }
    return serveAs(ctx, ENGINE_PAGE, next);
  };

/** Adds the portal's page and the polling interval to the response (RFC 8628 section 3.2). */
export const describeDeviceAuthorization = (ctx: Context, origin: string): void => {
  const body = ctx.body as Record<string, unknown>;
  const page = `${origin}${DEVICE_PAGE}`;
  ctx.body = {
    ...body,
    verification_uri: page,
    verification_uri_complete: `${page}?${new URLSearchParams({ user_code: String(body.user_code) })}`,
    interval: POLL_INTERVAL_SECONDS,
  };
};
