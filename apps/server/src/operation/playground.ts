import { randomBytes } from 'node:crypto';
import { startPlayground as startPlaygroundApp } from '@candela/playground';
import { lampApi } from '@candela/playground/lamp-api';
import { PLAYGROUND_CLIENT_ID } from '../clients/client/client-file.ts';
import type { ResourceServerService } from '../clients/resource-server/resource-server.service.ts';
import type { ClientRegistry } from '../registration/client-registry/client-registry.service.ts';
import type { Config } from './config/config.ts';

/** Starts the example app beside the server, registered with a secret made for this run, and its API of two lamps. */
export const startPlayground = async (
  config: Config,
  { registry, resourceServers }: { registry: ClientRegistry; resourceServers: ResourceServerService },
): Promise<{ url: string; close(): Promise<void> }> => {
  const clientSecret = randomBytes(32).toString('base64url');
  const url = `http://localhost:${config.playgroundPort}`;
  await registry.apply({ kind: 'file' }, [
    {
      client_id: PLAYGROUND_CLIENT_ID,
      client_secret: clientSecret,
      client_name: 'Playground',
      client_uri: `${url}/`,
      redirect_uris: [`${url}/callback`],
      post_logout_redirect_uris: [`${url}/`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ]);
  await resourceServers.applyResourceServers([lampApi(url)]);
  return startPlaygroundApp({
    port: config.playgroundPort,
    host: config.host,
    issuer: config.publicUrl,
    clientId: PLAYGROUND_CLIENT_ID,
    clientSecret,
  });
};
