import type { ClientEntry, PresetName } from './client-entry.ts';
import { fapiAlgorithms } from './fapi.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The redirect URIs of a platform: the same for everybody, or by an id at the platform. */
export interface PlatformRedirects {
  /** The field with the id, and the form of the id; undefined: the redirect URIs are the same for everybody. */
  id?: { field: 'vendor_id' | 'project_id'; form: RegExp; example: string };
  /** The redirect URIs for an id. */
  of(id: string): string[];
  /** The form of every redirect URI of the platform. */
  form: RegExp;
}

type Field = Exclude<keyof ClientEntry, number> & string;

export interface Preset {
  /** Values for the fields that an entry leaves out. */
  defaults: Partial<ClientEntry>;
  /** The values that a field may have; undefined: the field may be left out. */
  only: Partial<Record<Field, readonly (string | boolean | undefined)[]>>;
  grantTypes: { needed: readonly string[]; possible: readonly string[] };
  redirects?: PlatformRedirects;
}

const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'] as const;
const CONFIDENTIAL_METHODS = [...SECRET_METHODS, 'private_key_jwt'] as const;

/** Account linking: a linked home stays linked while it is used. */
const linking = {
  application_type: 'web',
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
  id_token_signed_response_alg: 'ES256',
  access_token_ttl: HOUR,
  refresh_token_ttl: 400 * DAY,
  // The platforms authenticate with a secret, and send a PKCE challenge only where it is switched on.
  require_pkce: false,
  bare_invalid_grant: true,
} satisfies Partial<ClientEntry>;

const linkingOnly = {
  application_type: ['web'],
  // An absolute end would unlink homes that are in use.
  refresh_family_ttl: [undefined],
} satisfies Preset['only'];

const linkingGrantTypes: Preset['grantTypes'] = {
  needed: ['authorization_code', 'refresh_token'],
  possible: [],
};

const publicApp = {
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  id_token_signed_response_alg: 'ES256',
  require_pkce: true,
  access_token_ttl: HOUR,
  refresh_mode: 'overlap',
} satisfies Partial<ClientEntry>;

const publicOnly = {
  token_endpoint_auth_method: ['none'],
  require_pkce: [true],
} satisfies Preset['only'];

/** The registration of each kind of app. A field of the entry replaces the default, within `only`. */
export const presets: Record<PresetName, Preset> = {
  alexa: {
    defaults: {
      ...linking,
      token_endpoint_auth_method: 'client_secret_basic',
      refresh_mode: 'overlap',
      native_approval: true,
    },
    only: {
      ...linkingOnly,
      token_endpoint_auth_method: SECRET_METHODS,
      refresh_mode: ['overlap', 'static'],
    },
    grantTypes: linkingGrantTypes,
    redirects: {
      id: { field: 'vendor_id', form: /^[A-Za-z0-9]{5,40}$/, example: 'M2AAAAAAAAAAAA' },
      of: (id) => [
        `https://pitangui.amazon.com/api/skill/link/${id}`,
        `https://layla.amazon.com/api/skill/link/${id}`,
        `https://alexa.amazon.co.jp/api/skill/link/${id}`,
      ],
      form: /^https:\/\/(?:pitangui\.amazon\.com|layla\.amazon\.com|alexa\.amazon\.co\.jp)\/api\/skill\/link\/[A-Za-z0-9]{5,40}$/,
    },
  },
  'google-home': {
    // Google keeps its first refresh token, and ignores the refresh tokens of later answers.
    defaults: {
      ...linking,
      token_endpoint_auth_method: 'client_secret_post',
      refresh_mode: 'static',
      native_approval: true,
    },
    only: { ...linkingOnly, token_endpoint_auth_method: SECRET_METHODS, refresh_mode: ['static'] },
    grantTypes: linkingGrantTypes,
    redirects: {
      id: { field: 'project_id', form: /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, example: 'our-lights-1a2b3' },
      of: (id) => [
        `https://oauth-redirect.googleusercontent.com/r/${id}`,
        `https://oauth-redirect-sandbox.googleusercontent.com/r/${id}`,
      ],
      form: /^https:\/\/oauth-redirect(?:-sandbox)?\.googleusercontent\.com\/r\/[a-z][a-z0-9-]{4,28}[a-z0-9]$/,
    },
  },
  'home-assistant': {
    defaults: { ...linking, token_endpoint_auth_method: 'client_secret_post', refresh_mode: 'overlap' },
    only: {
      ...linkingOnly,
      token_endpoint_auth_method: ['client_secret_post'],
      refresh_mode: ['overlap', 'static'],
    },
    grantTypes: linkingGrantTypes,
    redirects: {
      of: () => ['https://my.home-assistant.io/redirect/oauth'],
      // The second is the callback of an installation that does not use the redirect page.
      form: /^https:\/\/(?:my\.home-assistant\.io\/redirect\/oauth|[^/?#@\\]+\/auth\/external\/callback)$/,
    },
  },
  web: {
    defaults: {
      application_type: 'web',
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      // Many libraries verify only RS256 unless they are configured.
      id_token_signed_response_alg: 'RS256',
      access_token_ttl: HOUR,
      refresh_token_ttl: 60 * DAY,
      refresh_family_ttl: 365 * DAY,
      refresh_mode: 'overlap',
    },
    only: { application_type: ['web'], token_endpoint_auth_method: CONFIDENTIAL_METHODS },
    grantTypes: { needed: ['authorization_code'], possible: ['refresh_token', 'client_credentials'] },
  },
  spa: {
    defaults: {
      ...publicApp,
      application_type: 'web',
      refresh_token_ttl: 7 * DAY,
      refresh_family_ttl: 30 * DAY,
    },
    only: { ...publicOnly, application_type: ['web'] },
    grantTypes: { needed: ['authorization_code'], possible: ['refresh_token'] },
  },
  native: {
    defaults: { ...publicApp, application_type: 'native', refresh_token_ttl: 400 * DAY },
    only: { ...publicOnly, application_type: ['native'] },
    grantTypes: { needed: ['authorization_code'], possible: ['refresh_token', DEVICE_CODE] },
  },
  device: {
    defaults: {
      ...publicApp,
      application_type: 'native',
      response_types: [],
      grant_types: [DEVICE_CODE, 'refresh_token'],
      refresh_token_ttl: 400 * DAY,
    },
    only: {
      application_type: ['native'],
      token_endpoint_auth_method: ['none', 'private_key_jwt'],
      require_pkce: [true],
    },
    grantTypes: { needed: [DEVICE_CODE], possible: ['refresh_token'] },
  },
  machine: {
    defaults: {
      application_type: 'web',
      response_types: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      access_token_ttl: HOUR,
    },
    only: { token_endpoint_auth_method: CONFIDENTIAL_METHODS },
    grantTypes: { needed: ['client_credentials'], possible: [] },
  },
  fapi: {
    defaults: {
      application_type: 'web',
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'private_key_jwt',
      id_token_signed_response_alg: 'ES256',
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      require_pkce: true,
      access_token_ttl: HOUR,
      refresh_token_ttl: 60 * DAY,
      refresh_family_ttl: 365 * DAY,
      refresh_mode: 'static',
      fapi: true,
    },
    // FAPI 2.0 Security Profile sections 5.3.2 and 5.4.1.
    only: {
      application_type: ['web', undefined],
      token_endpoint_auth_method: ['private_key_jwt'],
      token_endpoint_auth_signing_alg: [undefined, ...fapiAlgorithms],
      request_object_signing_alg: [undefined, ...fapiAlgorithms],
      id_token_signed_response_alg: ['ES256'],
      require_pushed_authorization_requests: [true],
      dpop_bound_access_tokens: [true],
      require_pkce: [true],
      refresh_mode: ['static'],
      fapi: [true],
    },
    grantTypes: { needed: ['authorization_code'], possible: ['refresh_token', 'client_credentials'] },
  },
};
