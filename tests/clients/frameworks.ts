import { basic, type Facts, FORM, type Library, pkce } from './library.ts';

const asked = ({ id, redirectUri, state }: Facts, scope: string) => ({
  response_type: 'code',
  client_id: id,
  redirect_uri: redirectUri,
  scope,
  state,
});

const exchanged = ({ code, redirectUri }: Facts) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
});

const secretInBody = ({ id, secret }: Facts) => ({ client_id: id, client_secret: secret });

/** What sits between an app and its people: frameworks, brokers, and libraries that leave every step to the app. */
export const frameworks: readonly Library[] = [
  {
    name: 'requests-oauthlib',
    authorize: (facts) => ({ ...asked(facts, 'openid profile email'), ...pkce(facts) }),
    token: [
      (facts) => ({
        headers: {
          accept: 'application/json',
          'content-type': FORM,
          authorization: basic(facts.id, facts.secret),
        },
        form: { ...exchanged(facts), code_verifier: facts.verifier },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: [],
  },
  {
    name: 'django-allauth',
    // It keeps scopes in a set.
    authorize: (facts) => ({ ...asked(facts, 'email profile openid'), ...pkce(facts) }),
    token: [
      (facts) => ({
        headers: { accept: '*/*' },
        form: { ...exchanged(facts), ...secretInBody(facts), code_verifier: facts.verifier },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: ['name', 'email'],
  },
  {
    name: 'better-auth',
    authorize: (facts) => ({
      ...asked(facts, 'openid profile email'),
      ...pkce(facts),
      nonce: facts.nonce,
    }),
    token: [
      (facts) => ({
        headers: { accept: 'application/json' },
        form: { ...exchanged(facts), ...secretInBody(facts), code_verifier: facts.verifier },
      }),
    ],
    reads: ['name', 'email', 'email_verified', 'nonce'],
  },
  {
    name: 'Keycloak',
    authorize: (facts) => ({
      ...asked(facts, 'openid profile email'),
      ...pkce(facts),
      nonce: facts.nonce,
    }),
    token: [
      (facts) => ({
        form: { ...exchanged(facts), ...secretInBody(facts), code_verifier: facts.verifier },
      }),
    ],
    userinfo: { headers: { accept: '' } },
    reads: ['name', 'email', 'nonce'],
  },
  {
    name: 'angular-oauth2-oidc',
    authorize: (facts) => ({
      ...asked(facts, 'openid profile email offline_access'),
      ...pkce(facts),
      nonce: facts.nonce,
    }),
    token: [
      (facts) => ({
        headers: { accept: 'application/json, text/plain, */*' },
        form: { ...exchanged(facts), code_verifier: facts.verifier, client_id: facts.id },
      }),
    ],
    reads: ['name', 'email', 'nonce', 'at_hash'],
  },
];
