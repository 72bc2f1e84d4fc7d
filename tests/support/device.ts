import { sql } from 'kysely';
import type { Answer, UserAgent } from './user-agent.ts';
import type { createVerbs, World } from './world.ts';

type Verbs = ReturnType<typeof createVerbs>;

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export interface DeviceAuthorization {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

export interface DeviceApp {
  clientId: string;
  /** The software of the device: it has no browser, and so no cookies and no origin. */
  post(path: string, form: Record<string, string>): Promise<Answer>;
}

/** A public app without a browser of its own (RFC 8628); `metadata` adds to or overrides the usual metadata. */
export const registerDevice = async (
  world: Pick<Verbs, 'browser' | 'registerApp'>,
  metadata: Record<string, unknown> = {},
): Promise<DeviceApp> => {
  const { clientId } = await world.registerApp({
    client_name: 'Living-room TV',
    preset: 'device',
    client_uri: 'https://tv.example/',
    token_endpoint_auth_method: 'none',
    grant_types: [DEVICE_GRANT, 'refresh_token'],
    response_types: [],
    redirect_uris: [],
    post_logout_redirect_uris: [],
    ...metadata,
  });
  const program = world.browser({
    headers: { origin: '', 'sec-fetch-site': '', accept: 'application/json' },
  });
  return {
    clientId,
    post: (path, form) => program.request('POST', path, { form: { client_id: clientId, ...form } }),
  };
};

/** The values that the device shows and keeps. */
export const askForCode = async (
  device: DeviceApp,
  parameters: Record<string, string> = {},
): Promise<DeviceAuthorization> => {
  const answer = await device.post('/oauth/device_authorization', { scope: 'openid profile', ...parameters });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return answer.json();
};

/** Polls the token endpoint. */
export const poll = (
  device: DeviceApp,
  { device_code }: { device_code: string },
  parameters: Record<string, string> = {},
): Promise<Answer> => device.post('/oauth/token', { grant_type: DEVICE_GRANT, device_code, ...parameters });

/** The status and the error of a poll. */
export const heard = async (device: DeviceApp, code: { device_code: string }) => {
  const { status, json } = await poll(device, code);
  return [status, json().error];
};

/** Opens the page as a signed-in person; returns the fields of its form. */
export const formToken = async (agent: UserAgent): Promise<string> => {
  const page = await agent.get('/device');
  const boot = /id="boot">([^<]*)</.exec(page.body)?.[1];
  if (!boot) throw new Error(`no page for devices: ${page.status} ${page.headers.location}`);
  return JSON.parse(boot).deviceForm.xsrf;
};

/** Submits the form of the page and returns the redirect; `fields` are those that the page fills in. */
export const sendForm = async (agent: UserAgent, fields: Record<string, string>): Promise<string> => {
  const { status, body, headers } = await agent.request('POST', '/oauth/device', {
    form: { confirm: 'yes', ...fields },
    // Our pages send no referrer, so a browser sends `Origin: null` with their forms.
    headers: { origin: 'null', accept: 'text/html' },
  });
  if (status !== 303) throw new Error(`${status} ${body.slice(0, 300)}`);
  return String(headers.location);
};

/** Submits the form and follows the redirect. */
export const sendCode = async (agent: UserAgent, fields: Record<string, string>): Promise<URL> =>
  (await agent.navigate(await sendForm(agent, fields))).url;

export const enterCode = async (agent: UserAgent, userCode: string): Promise<URL> =>
  sendCode(agent, { xsrf: await formToken(agent), user_code: userCode });

/** The path of a URL with its query. */
export const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** Enters the code and allows the request; returns where the browser ends. */
export const allowDevice = async (
  world: Pick<Verbs, 'approve' | 'interactionOf'>,
  agent: UserAgent,
  { user_code }: { user_code: string },
): Promise<URL> => {
  const uid = world.interactionOf(await enterCode(agent, user_code));
  return (await world.approve(agent, uid)).url;
};

/** Makes every code as old as it can be. */
export const expireCodes = async (db: World['db']): Promise<void> => {
  await db
    .updateTable('oidc_model')
    .set({ payload: sql`jsonb_set(payload, '{exp}', '1700000000')` })
    .where('model', '=', 'DeviceCode')
    .execute();
};
