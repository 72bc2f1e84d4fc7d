import { randomBytes } from 'node:crypto';
import { frameworks } from './frameworks.ts';
import { basic, encoded, FORM, type Library, pkce, sha256 } from './library.ts';

/** golang.org/x/oauth2 tries HTTP Basic first, and the body when that is refused. */
const goTokenRequests: Library['token'] = [true, false].map(
  (inHeader) =>
    ({ id, secret, code, verifier, redirectUri }) => ({
      ...(inHeader && { headers: { authorization: basic(encoded(id), encoded(secret)) } }),
      form: {
        ...(!inHeader && { client_id: id, ...(secret && { client_secret: secret }) }),
        code,
        code_verifier: verifier,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
      },
    }),
);

/** Each library as in its source, with the configuration of docs/integrating. */
export const libraries: readonly Library[] = [
  {
    name: 'Authlib',
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: {
          accept: 'application/json',
          'content-type': `${FORM};charset=UTF-8`,
          authorization: basic(id, secret),
        },
        form: { grant_type: 'authorization_code', redirect_uri: redirectUri, code },
      }),
    ],
    reads: ['name', 'email', 'nonce', 'at_hash'],
  },
  {
    name: 'go-oidc',
    authorize: (facts) => ({
      client_id: facts.id,
      ...pkce(facts),
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: facts.state,
    }),
    token: goTokenRequests,
    userinfo: { headers: { accept: '' } },
    reads: ['name', 'email', 'at_hash'],
  },
  {
    name: 'oauth2-proxy',
    // A hash, followed by the page that the person requested.
    state: `${sha256('csrf').toString('base64url')}:/lights?room=1`,
    authorize: (facts) => ({
      approval_prompt: 'force',
      client_id: facts.id,
      ...pkce(facts),
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      state: facts.state,
    }),
    token: goTokenRequests,
    reads: ['email', 'email_verified', 'preferred_username'],
  },
  {
    name: 'mod_auth_openidc',
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      scope: 'openid profile email',
      client_id: id,
      state,
      redirect_uri: redirectUri,
      nonce,
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: { authorization: basic(encoded(id), encoded(secret)), 'user-agent': 'mod_auth_openidc' },
        form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: ['name', 'nonce'],
  },
  {
    name: 'Spring Security',
    // Base64 with padding.
    state: `${randomBytes(32).toString('base64url')}=`,
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      client_id: id,
      scope: 'openid profile email',
      state,
      redirect_uri: redirectUri,
      nonce: sha256(nonce).toString('base64url'),
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: {
          accept: 'application/json;charset=UTF-8',
          'content-type': `${FORM};charset=UTF-8`,
          authorization: basic(encoded(id), encoded(secret)),
        },
        form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      }),
    ],
    userinfo: { headers: { accept: 'application/json' } },
    reads: ['name', 'email'],
  },
  {
    name: 'mozilla-django-oidc',
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      scope: 'openid email profile',
      client_id: id,
      redirect_uri: redirectUri,
      state,
      nonce,
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: { accept: '*/*' },
        form: {
          client_id: id,
          client_secret: secret,
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
        },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: ['nonce'],
  },
  {
    name: 'omniauth_openid_connect',
    authorize: (facts) => ({
      client_id: facts.id,
      ...pkce(facts),
      nonce: facts.nonce,
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: facts.state,
    }),
    token: [
      ({ id, secret, code, redirectUri, verifier }) => ({
        headers: { authorization: basic(encoded(id), encoded(secret)) },
        form: {
          scope: 'openid profile email',
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: ['name', 'preferred_username', 'nonce'],
  },
  {
    name: 'oauth2cli',
    redirectUri: 'http://localhost:45871',
    authorize: (facts) => ({
      client_id: facts.id,
      ...pkce(facts),
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: facts.state,
    }),
    token: goTokenRequests,
    reads: ['name'],
  },
  {
    name: 'oidc-agent',
    redirectUri: 'http://localhost:4242',
    authorize: (facts) => ({
      response_type: 'code',
      client_id: facts.id,
      redirect_uri: facts.redirectUri,
      scope: 'openid profile email offline_access',
      prompt: 'consent',
      state: facts.state,
      access_type: 'offline',
      code_challenge_method: 'S256',
      code_challenge: facts.challenge,
    }),
    token: [
      ({ id, secret, code, redirectUri, verifier }) => ({
        headers: { authorization: basic(id, secret) },
        form: {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          response_type: 'token',
          code_verifier: verifier,
        },
      }),
    ],
    reads: ['name'],
  },
  ...frameworks,
];
