import { randomBytes } from 'node:crypto';

/** An app that a server registers from CLIENTS_FILE. */
export const app = {
  clientId: 'example-app',
  clientSecret: randomBytes(24).toString('base64url'),
  redirectUri: 'https://app.example/callback',
};

/** The app as an entry of CLIENTS_FILE. */
export const appEntry = {
  client_id: app.clientId,
  client_secret: app.clientSecret,
  client_name: 'Example App',
  client_uri: 'https://app.example/',
  redirect_uris: [app.redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
};
