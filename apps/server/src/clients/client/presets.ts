import type { PresetName } from '@candela/contract/rules/client-presets';
import type { ClientEntry } from './client-entry.ts';
import { fapiAlgorithms } from './fapi.ts';
import { platforms } from './platform-presets.ts';
import { DAY, HOUR, type Preset, SECRET_METHODS } from './preset.ts';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

const CONFIDENTIAL_METHODS = [...SECRET_METHODS, 'private_key_jwt'] as const;

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
  ...platforms,
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
