import { LOOPBACK_HOSTS } from '@candela/contract/rules/client-uri';
import { faultAt, type RegistrationFault } from '../../clients/client/fault.ts';
import { redirectTargetOf, webHostOf } from '../../clients/client/redirect-target.ts';
import type { RegistrationPolicy } from '../../clients/registration-token/registration-policy.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** The host that an app shows to own by a scheme of its own (RFC 8252 section 7.1): `com.example.app` is of app.example.com. */
const hostOfScheme = (protocol: string) => protocol.slice(0, -1).split('.').toReversed().join('.');

const isOfHosts = ({ protocol, host }: URL, hosts: readonly string[]): boolean => {
  if (protocol === 'https:') return hosts.includes(host);
  const owner = hostOfScheme(protocol);
  return hosts.some((named) => owner === named || owner.endsWith(`.${named}`));
};

const judgedElsewhere = ({ protocol }: URL) =>
  protocol === 'http:' || (protocol !== 'https:' && !protocol.includes('.'));

const faultOfUri = (
  uri: unknown,
  { redirectHosts }: RegistrationPolicy,
  isNative: boolean,
): string | undefined => {
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  if (!url) return undefined;
  if (url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname))
    return isNative ? undefined : 'leads to this machine, which takes application_type "native"';
  // The rules of all registrations refuse these.
  if (judgedElsewhere(url) || redirectHosts === 'any' || isOfHosts(url, redirectHosts)) return undefined;
  const allowed = redirectHosts.join(', ') || 'this machine alone';
  return `leads to "${redirectTargetOf(uri)}": the initial access token is for ${allowed}`;
};

/** Whether a native app of the policy may be answered at the URI, as far as the policy goes. */
export const allowsUri = (policy: RegistrationPolicy, uri: string): boolean =>
  faultOfUri(uri, policy, true) === undefined;

const lists = ['redirect_uris', 'post_logout_redirect_uris'] as const;
const singles = ['initiate_login_uri', 'backchannel_logout_uri'] as const;

const placesOf = (metadata: Metadata): (readonly [place: string, uri: unknown])[] => [
  ...lists.flatMap((field) => {
    const uris: unknown = metadata[field];
    return Array.isArray(uris) ? uris.map((uri, index) => [`${field}[${index}]`, uri] as const) : [];
  }),
  ...singles.map((field) => [field, metadata[field]] as const),
];

const shown = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const;

/** The hosts that pages may show something of. A stranger's is the one at which it is answered, wherever it says. */
const shownHosts = ({ redirectHosts, strangers }: RegistrationPolicy, { redirect_uris: uris }: Metadata) => {
  if (!strangers) return redirectHosts;
  const hosts = new Set((Array.isArray(uris) ? uris : []).map((uri) => webHostOf(uri) ?? ''));
  return hosts.size === 1 ? [...hosts] : [];
};

/**
 * Leaves out what pages would show of the hosts of others (OpenID Connect Dynamic Client Registration section 9.1).
 * Programs that know nothing of the policy send such addresses with their redirect URIs, and go on without them.
 */
export const withoutForeignUris = <M extends Metadata>(policy: RegistrationPolicy, metadata: M): M => {
  const hosts = shownHosts(policy, metadata);
  const isForeign = (uri: unknown) => {
    const url = typeof uri === 'string' ? URL.parse(uri) : null;
    return url?.protocol === 'https:' && hosts !== 'any' && !hosts.includes(url.host);
  };
  const foreign = shown.filter((field) => isForeign(metadata[field]));
  return { ...metadata, ...Object.fromEntries(foreign.map((field) => [field, null])) };
};

/** What the policy of an initial access token does not allow its client. */
export const findPolicyFaults = (policy: RegistrationPolicy, metadata: Metadata): RegistrationFault[] => {
  const { preset } = metadata;
  const presets: readonly string[] = policy.presets;
  const isNative = metadata.application_type === 'native';
  return [
    ...(typeof preset === 'string' && presets.includes(preset)
      ? []
      : [
          faultAt(
            'preset',
            'preset_forbids',
            `must be ${presets.join(' or ')} ${policy.strangers ? 'without an' : 'with this'} initial access token, not ${preset}`,
          ),
        ]),
    ...placesOf(metadata).flatMap(([place, uri]) => {
      const fault = faultOfUri(uri, policy, isNative);
      return fault ? [faultAt(place, 'uri_host_refused', fault)] : [];
    }),
  ];
};
