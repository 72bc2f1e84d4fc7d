import type { RegisteredClient } from '@candela/contract';
import { selfDescribedNames } from './self-described.ts';

export interface InformationOptions {
  client: RegisteredClient;
  /** The issuer at which the client is registered. */
  issuer: string;
  accessToken: string;
  /** Present where the client was just given it. */
  secret?: string | undefined;
  endsAt: Date | null;
}

const toSeconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** The client information response (RFC 7591 section 3.2.1, RFC 7592 section 3). */
export const toClientInformation = ({ client, issuer, accessToken, secret, endsAt }: InformationOptions) => {
  const fields: Readonly<Record<string, unknown>> = client;
  return {
    ...Object.fromEntries(
      selfDescribedNames.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
    ),
    client_id: client.client_id,
    client_id_issued_at: toSeconds(new Date(client.createdAt)),
    ...(secret !== undefined && {
      client_secret: secret,
      client_secret_expires_at: endsAt ? toSeconds(endsAt) : 0,
    }),
    registration_access_token: accessToken,
    registration_client_uri: `${issuer}/oauth/register/${client.client_id}`,
  };
};

export type ClientInformation = ReturnType<typeof toClientInformation>;
