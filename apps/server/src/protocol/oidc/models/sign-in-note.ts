import { createActivityId } from '../../../person/activity/activity-id.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import { endIn, toJson } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import {
  insertSignIn,
  insertSignInNotice,
  insertSignOut,
  rememberBrowser,
} from './sign-in-note.repository.ts';

/** For how long the link in a notice says that it was somebody else. */
const LINK_SECONDS = 7 * 86_400;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** What the person proved at first, by the methods of RFC 8176. */
const methodOf = (amr: readonly string[]) => {
  if (amr.includes('fed')) return 'provider';
  if (amr.some((method) => method === 'swk' || method === 'hwk')) return 'passkey';
  return amr.includes('pwd') ? 'password' : 'code';
};

/** Whether the request takes up a sign-in that the session does not hold yet. */
export const takesUpSignIn = (
  { signIn: login }: EngineRequest,
  held: Record<string, unknown> | undefined,
): boolean => login !== undefined && !(held?.accountId === login.accountId && held?.loginTs === login.ts);

/**
 * Notes the sign-in that makes or changes a session, in the unit that writes the session. Where the account has not
 * signed in in that browser before, a notice to the person is promised with it.
 */
export const noteSignIn = (
  unit: UnitOfWork,
  { signIn: login }: EngineRequest,
  session: { brand: string; uid: string },
): void => {
  if (!login) return;
  const { brand, uid } = session;
  const deviceHash = textOf(login.deviceHash) ?? '';
  const { accountId, amr = [] } = login;
  const key = { accountId, brand, uid, deviceHash };
  const id = createActivityId();
  const isFirst = login.isNew === true;
  const { userAgent, clientHints } = unit.facts;
  unit.keep(row.signIn(uid, 'activity'), insertSignIn, {
    ...key,
    id,
    isFirst,
    userAgent,
    clientHints,
    timeZone: textOf(login.timeZone) ?? null,
    detail: toJson({ method: methodOf(amr) }),
  });
  if (!isFirst)
    unit.keep(row.signIn(uid, 'notice'), insertSignInNotice, { ...key, id, expiresAt: endIn(LINK_SECONDS) });
  if (deviceHash) unit.keep(row.signIn(uid, 'browser'), rememberBrowser, { accountId, deviceHash });
};

/** Notes that an app signed the person out, or that another person signs in, in the unit that ends the session. */
export const noteSignOut = (unit: UnitOfWork, key: { brand: string; uid: string }): void => {
  const { userAgent, clientHints } = unit.facts;
  unit.keep(row.session(key.uid, 'activity'), insertSignOut, {
    ...key,
    id: createActivityId(),
    userAgent,
    clientHints,
  });
};
