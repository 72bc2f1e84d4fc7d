import type { ClientErrorCode } from '@candela/contract';
import * as z from 'zod/mini';
import { faultOfOutboundUri } from '../../ground/outbound/outbound-request.ts';
import { findPlaceProblems } from '../../ground/settings-file/entry-places.ts';
import {
  faultyFile,
  inspectSettingsFile,
  type SettingsFile,
} from '../../ground/settings-file/settings-file.ts';
import { ClientEntries, type ClientEntry } from './client-entry.ts';
import { type FindEngineFault, findEngineFaults } from './engine-faults.ts';
import { faultAt, type RegistrationFault, toProblem } from './fault.ts';
import { type RegistrationAllowances, toRegistration } from './registration.ts';
import { SECRET_LENGTH } from './secret-rules.ts';
import { findMissingSector } from './sector-rules.ts';

export const PLAYGROUND_CLIENT_ID = 'playground';

export interface ClientFileRules extends RegistrationAllowances {
  /** Ids of the brands that are served; undefined where BRANDS_FILE is wrong. */
  brands: readonly string[] | undefined;
  /** Ids of clients that the server itself registers. */
  reserved: readonly string[];
  /** Hosts of BACKCHANNEL_HOSTS. */
  backchannelHosts: readonly string[];
  /** Whether BACKCHANNEL_HOSTS is wrong: nobody knows then what can be called. */
  areHostsUnknown?: boolean;
  /** Why the engine would refuse the client at its first request; undefined if it would not. */
  findFault: FindEngineFault;
}

/** URIs that the server itself calls (OpenID Connect Back-Channel Logout section 2.2, RFC 7591 section 2). */
const calledUris = ['backchannel_logout_uri', 'jwks_uri', 'google_jwks_uri'] as const;

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

/** Fields by which the others are judged: where one of them has no form, what is said of the others may be wrong. */
const DECISIVE: readonly string[] = [
  'preset',
  'token_endpoint_auth_method',
  'application_type',
  'fapi',
] satisfies (keyof ClientEntry)[];

/** An entry, and its fields that have not the form that they should have. */
interface JudgedEntry {
  entry: ClientEntry;
  misshapen: ReadonlySet<string>;
}

/** The entries of a file as far as they can be judged; undefined for one that cannot. */
const judgeable = (data: unknown, faultPaths: readonly (readonly PropertyKey[])[]) =>
  (Array.isArray(data) ? data : []).map((entry: unknown, index): JudgedEntry | undefined => {
    const paths = faultPaths.filter(([at]) => at === index);
    const fields = paths.map(([, field]) => (field === undefined ? undefined : String(field)));
    if (fields.some((field) => field === undefined || DECISIVE.includes(field))) return undefined;
    const misshapen = new Set(fields.filter((field) => field !== undefined));
    const sound = Object.entries(entry as object).filter(([field]) => !misshapen.has(field));
    // An id that no rule refuses, where the entry has none.
    return { entry: { client_id: `[${index}]`, ...Object.fromEntries(sound) }, misshapen };
  });

/** Finds what rules refuse in an entry, beside what has no form. */
const findRuleProblems = ({ entry, misshapen }: JudgedEntry, rules: ClientFileRules): string[] => {
  const { id, metadata, faults } = toRegistration(entry, rules);
  const calls = rules.areHostsUnknown ? [] : findCallFaults(metadata, rules.backchannelHosts);
  const fieldOf = ({ field }: RegistrationFault) => field.replace(/\..*/, '');
  const found = [...faults, ...calls, ...findMissingSector(metadata)].filter(
    (fault) => !misshapen.has(fieldOf(fault)),
  );
  const reserved = rules.reserved.includes(id) ? [`.client_id "${id}" is the server's own`] : [];
  // Our own rules describe a fault better than the engine does.
  const judged = new Set([...misshapen, ...[...faults, ...calls].map(fieldOf)]);
  const ofEngine = findEngineFaults(metadata, judged, rules.findFault);
  return [...found.map(toProblem), ...reserved, ...ofEngine.map((fault) => `: ${fault}`)];
};

const findProblems = (
  entries: readonly (JudgedEntry | undefined)[],
  rules: ClientFileRules,
): { index: number; problem: string }[] => {
  const ids = entries.map((judged, index) => judged?.entry.client_id ?? `[${index}]`);
  return entries.flatMap((judged, index) => {
    if (!judged) return [];
    const place = { field: 'client_id', ids, index, brand: judged.entry.brand, brands: rules.brands };
    return [...findRuleProblems(judged, rules), ...findPlaceProblems(place)].map((problem) => ({
      index,
      problem: `[${index}]${problem}`,
    }));
  });
};

/** The database knows whether a client has its short secret already: only beside other faults is it named here. */
const findShortSecrets = (
  entries: readonly (JudgedEntry | undefined)[],
): { index: number; problem: string }[] =>
  entries.flatMap((judged, index) => {
    const { client_secret: secret } = judged?.entry ?? {};
    if (secret === undefined || secret.length >= SECRET_LENGTH) return [];
    const problem = `[${index}].client_secret is shorter than ${SECRET_LENGTH} characters, which is refused unless the client has it already`;
    return [{ index, problem }];
  });

/**
 * Reads a file of clients. It refuses clients that could never sign anybody in.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readClientFile = (file: SettingsFile, rules: ClientFileRules): ClientEntry[] => {
  const { data, faults } = inspectSettingsFile(file, ClientEntries);
  const paths = faults.map(({ path }) => path);
  const entries = judgeable(data, paths);
  const problems = [
    ...faults.map(({ path: [at], problem }) => ({ index: typeof at === 'number' ? at : -1, problem })),
    ...findProblems(entries, rules),
  ];
  if (problems.length > 0)
    throw faultyFile(
      file,
      [...problems, ...findShortSecrets(entries)]
        .toSorted((a, b) => a.index - b.index)
        .map(({ problem }) => problem),
    );
  return z.parse(ClientEntries, data);
};
