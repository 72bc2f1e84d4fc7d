import { createPrivateKey } from 'node:crypto';
import * as z from 'zod/mini';
import { faultOfOutboundUri, type OutboundRules } from '../../ground/outbound/outbound-request.ts';

const text = z.string();

/** What is needed of the key file of a service account, as Google's console makes it. */
const ServiceAccount = z.object({
  client_email: text,
  private_key: text,
  private_key_id: z.optional(text),
  token_uri: text,
});
export type ServiceAccount = z.infer<typeof ServiceAccount>;

/** Whether a URL is Google's, or of a host that the operator named. */
const isOfGoogle = (uri: string, rules: OutboundRules): boolean => {
  const url = URL.parse(uri);
  if (!url || faultOfOutboundUri(uri, rules)) return false;
  const { hostname, host } = url;
  return (
    hostname.endsWith('.googleapis.com') ||
    hostname === 'accounts.google.com' ||
    rules.privateHosts.includes(host)
  );
};

const isKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
};

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** Reads a key file; undefined where it is none, or where its tokens are not Google's. */
export const readServiceAccount = (json: string, rules: OutboundRules): ServiceAccount | undefined => {
  const { data } = z.safeParse(ServiceAccount, parse(json));
  return data && isKey(data.private_key) && isOfGoogle(data.token_uri, rules) ? data : undefined;
};
