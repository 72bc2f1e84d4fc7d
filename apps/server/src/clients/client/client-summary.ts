import type { ClientSummary } from '@candela/contract';
import { isHttps } from '@candela/contract/rules/is-https';
import { type LinkTarget, linkTargets } from '@candela/contract/rules/link-targets';
import { logoPath } from '../../branding/picture/picture-path.ts';
import type { ClientProfile } from './client.service.ts';
import { redirectTargetOf } from './redirect-target.ts';

const webUri = (value: unknown): string | undefined => {
  const url = typeof value === 'string' ? URL.parse(value) : undefined;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
};

/** Where people are led while they decide. */
const secureUri = (value: unknown): string | undefined => {
  const uri = webUri(value);
  return isHttps(uri) ? uri : undefined;
};

const hostOf = (uri: unknown): string => (redirectTargetOf(uri) ?? '').replace(/:$/, '');

const linkTargetOf = (value: unknown): LinkTarget | undefined =>
  linkTargets.find((target) => target === value);

/** The host that answers for what a client says of itself; undefined for a client that somebody registered. */
const documentHostOf = ({ id, source }: Pick<ClientProfile, 'id' | 'source'>): string | undefined =>
  source === 'document' ? URL.parse(id)?.host : undefined;

/**
 * What the pages show of a client. `host` is where its people are led back to: the host of `requested`, the redirect
 * URI of a request, which is registered; without a request, of its document or of the first registered redirect URI.
 */
export const toClientSummary = (client: ClientProfile, requested?: unknown): ClientSummary => {
  const { id, metadata, firstParty, logo } = client;
  const documentHost = documentHostOf(client);
  const [registered] = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  const uri = webUri(metadata.client_uri);
  const policyUri = secureUri(metadata.policy_uri);
  const tosUri = secureUri(metadata.tos_uri);
  const linksTo = linkTargetOf(metadata.links_to);
  return {
    id,
    name: typeof metadata.client_name === 'string' ? metadata.client_name : id,
    ...(uri && { uri }),
    ...(logo && { logo: logoPath(logo) }),
    ...(policyUri && { policyUri }),
    ...(tosUri && { tosUri }),
    host: hostOf(requested ?? (documentHost ? id : registered) ?? metadata.client_uri),
    ...(documentHost && { documentHost }),
    verified: !documentHost && (firstParty || metadata.verified === true),
    ...(linksTo && { linksTo }),
  };
};

/** Where a person can begin again at the app: a registered URI, never a URI of a request. */
export const startAgainUri = ({ metadata }: ClientProfile): string | undefined => {
  const [redirectUri] = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  const origin = webUri(redirectUri);
  return (
    webUri(metadata.initiate_login_uri) ?? webUri(metadata.client_uri) ?? (origin && new URL(origin).origin)
  );
};
