import type { ClientErrorCode } from '@candela/contract';
import { faultOfOutboundUri } from '../../ground/outbound/outbound-request.ts';
import { findPlaceProblems } from '../../ground/settings-file/entry-places.ts';
import { readSettingsFile, type SettingsFile } from '../../ground/settings-file/settings-file.ts';
import { ConfigError } from '../../ground/start-error.ts';
import { ClientEntries, type ClientEntry } from './client-entry.ts';
import { faultAt, type RegistrationFault, toProblem } from './fault.ts';
import { toRegistration } from './registration.ts';

export const PLAYGROUND_CLIENT_ID = 'playground';

export interface ClientFileRules {
  /** Ids of the brands that are served; undefined where BRANDS_FILE is wrong. */
  brands: readonly string[] | undefined;
  /** Ids of clients that the server itself registers. */
  reserved: readonly string[];
  /** Hosts of BACKCHANNEL_HOSTS. */
  backchannelHosts: readonly string[];
  /** Why the engine would refuse the client at its first request; undefined if it would not. */
  findFault(metadata: Record<string, unknown> & { client_id: string }): string | undefined;
}

/** URIs that the server itself calls (OpenID Connect Back-Channel Logout section 2.2, RFC 7591 section 2). */
const calledUris = ['backchannel_logout_uri', 'jwks_uri'] as const;

const codeOf = (uri: string): ClientErrorCode => {
  const url = URL.parse(uri);
  if (!url) return 'uri_invalid';
  if (uri.includes('#')) return 'uri_has_fragment';
  if (url.username !== '' || url.password !== '') return 'uri_has_credentials';
  if (url.protocol === 'https:') return 'uri_host_refused';
  return url.protocol === 'http:' ? 'uri_not_https' : 'uri_scheme_refused';
};

/** Finds URIs that the server could not call. Hosts (`name` or `name:port`) in `privateHosts` may be at any address. */
export const findCallFaults = (
  metadata: Record<string, unknown>,
  privateHosts: readonly string[],
): RegistrationFault[] =>
  calledUris.flatMap((name) => {
    const uri = metadata[name];
    if (uri === undefined) return [];
    const fault =
      typeof uri === 'string' && !uri.includes('#')
        ? faultOfOutboundUri(uri, { privateHosts, plainAtPrivateHosts: true })
        : 'not a URL without a fragment';
    if (!fault) return [];
    const text = `cannot be called: ${fault}, and BACKCHANNEL_HOSTS does not name it`;
    return [faultAt(name, codeOf(String(uri)), text)];
  });

const findProblems = (entries: readonly ClientEntry[], rules: ClientFileRules): string[] => {
  const ids = entries.map(({ client_id: id }) => id);
  return entries.flatMap((entry, index) => {
    const { id, brand, metadata, faults } = toRegistration(entry);
    const problems = [...faults, ...findCallFaults(metadata, rules.backchannelHosts)].map(toProblem);
    if (rules.reserved.includes(id)) problems.push(`.client_id "${id}" is the server's own`);
    problems.push(...findPlaceProblems({ field: 'client_id', ids, index, brand, brands: rules.brands }));
    // Our own rules describe a fault better than the engine does.
    const fault = faults.length === 0 ? rules.findFault(metadata) : undefined;
    if (fault) problems.push(`: ${fault}`);
    return problems.map((problem) => `[${index}]${problem}`);
  });
};

/**
 * Reads a file of clients. It refuses clients that could never sign anybody in.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readClientFile = (file: SettingsFile, rules: ClientFileRules): ClientEntry[] => {
  const entries = readSettingsFile(file, ClientEntries);
  const problems = findProblems(entries, rules);
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `${file.name}: ${problem}`));
  return entries;
};
