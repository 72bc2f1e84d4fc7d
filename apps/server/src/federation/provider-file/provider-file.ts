import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { faultOfOutboundUri } from '../../ground/outbound/outbound-request.ts';
import {
  faultyFile,
  inspectSettingsFile,
  type SettingsFile,
} from '../../ground/settings-file/settings-file.ts';
import type { IdentityProvider, ProviderField } from '../identity-provider/identity-provider.ts';
import { kinds } from '../kind/kinds.ts';
import { ProviderEntries, type ProviderEntry } from './provider-entry.ts';

export interface ProviderFileRules {
  /** Ids of the brands that are served; undefined where they are not known. */
  brands: readonly string[] | undefined;
  /** Hosts of PROVIDER_HOSTS; undefined where that is wrong. */
  privateHosts: readonly string[] | undefined;
}

/** The names in the file of what only some kinds take. */
const fieldNames: Readonly<Record<ProviderField, keyof ProviderEntry>> = {
  issuer: 'issuer',
  clientSecret: 'client_secret',
  privateKey: 'private_key',
  keyId: 'key_id',
  teamId: 'team_id',
  subject: 'subject',
  emailDomains: 'email_domains',
};

/** Notes what is wrong with an entry, such as `.issuer is missing`. */
type Blame = (problem: string) => void;

/** A secret of an entry, from itself or from the file that it names. */
const readSecret = (
  entry: ProviderEntry,
  name: 'client_secret' | 'private_key',
  { directory, blame }: { directory: string; blame: Blame },
): string | undefined => {
  const path = entry[`${name}_file`];
  if (path === undefined) return entry[name];
  if (entry[name] !== undefined) blame(`.${name} and .${name}_file are both there: keep one`);
  try {
    const content = readFileSync(resolve(directory, path), 'utf8').trim();
    if (content === '') blame(`.${name}_file ${path} is empty`);
    return content;
  } catch (error) {
    blame(`.${name}_file cannot be read: ${(error as Error).message}`);
    // It is there: what it holds is not known.
    return '';
  }
};

const isPrivateKey = (pem: string): boolean => {
  try {
    createPrivateKey(pem);
    return /-----BEGIN PRIVATE KEY-----/.test(pem);
  } catch {
    return false;
  }
};

const toProvider = (entry: ProviderEntry, place: { directory: string; blame: Blame }): IdentityProvider => ({
  id: entry.id,
  kind: entry.kind,
  brand: entry.brand,
  issuer: entry.issuer,
  clientId: entry.client_id,
  clientSecret: readSecret(entry, 'client_secret', place),
  privateKey: readSecret(entry, 'private_key', place),
  keyId: entry.key_id,
  teamId: entry.team_id,
  name: entry.name,
  scopes: entry.scopes,
  languages: entry.languages,
  subject: entry.subject,
  emailDomains: entry.email_domains,
});

/** Finds what its kind needs and does not get, or gets and does not take. */
const judgeFields = (provider: IdentityProvider, blame: Blame): void => {
  const kind = kinds[provider.kind];
  if (!kind) {
    blame(`.kind "${provider.kind}" is not served by this release`);
    return;
  }
  const { required, optional = [] } = kind.fields;
  for (const [field, name] of Object.entries(fieldNames) as [ProviderField, string][]) {
    const isThere = provider[field] !== undefined;
    if (!isThere && required.includes(field))
      blame(`.${name} is missing: the kind ${provider.kind} needs it`);
    if (isThere && !required.includes(field) && !optional.includes(field))
      blame(`.${name} is not taken by the kind ${provider.kind}`);
  }
  if (kind.name === undefined && provider.name === undefined)
    blame(`.name is missing: the kind ${provider.kind} has no name that people know`);
};

const judgeIssuer = (
  { issuer }: IdentityProvider,
  { privateHosts }: ProviderFileRules,
  blame: Blame,
): void => {
  if (issuer === undefined || privateHosts === undefined) return;
  const fault = /[?#]/.test(issuer)
    ? 'a URL with a query or fragment'
    : faultOfOutboundUri(issuer, { privateHosts, plainAtPrivateHosts: true });
  if (fault) blame(`.issuer ${issuer} cannot be asked: ${fault}, and PROVIDER_HOSTS does not name it`);
};

/** The brands at which an entry is offered. */
const brandsOf = ({ brand }: IdentityProvider, { brands }: ProviderFileRules): readonly string[] =>
  brand === undefined ? (brands ?? ['']) : [brand];

const judgePlace = (
  provider: IdentityProvider,
  before: readonly IdentityProvider[],
  { rules, blame }: { rules: ProviderFileRules; blame: Blame },
): void => {
  const { id, brand } = provider;
  const own = brandsOf(provider, rules);
  const isTwice = before.some(
    (other) => other.id === id && brandsOf(other, rules).some((at) => own.includes(at)),
  );
  if (isTwice) blame(`.id "${id}" stands there twice for one brand`);
  if (brand !== undefined && rules.brands && !rules.brands.includes(brand))
    blame(`.brand "${brand}" is not served: served are ${rules.brands.join(', ')}`);
};

/**
 * Reads PROVIDERS_FILE.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readProviderFile = (file: SettingsFile, rules: ProviderFileRules): IdentityProvider[] => {
  const { data, faults } = inspectSettingsFile(file, ProviderEntries);
  const problems = faults.map(({ problem }) => problem);
  const misshapen = new Set(faults.map(({ path: [index] }) => index));
  const directory = dirname(file.path);
  const read: IdentityProvider[] = [];
  (Array.isArray(data) ? data : []).forEach((entry: ProviderEntry, index) => {
    if (misshapen.has(index)) return;
    const blame: Blame = (problem) => problems.push(`[${index}]${problem}`);
    const provider = toProvider(entry, { directory, blame });
    judgeFields(provider, blame);
    judgeIssuer(provider, rules, blame);
    judgePlace(provider, read, { rules, blame });
    if (provider.privateKey && !isPrivateKey(provider.privateKey))
      blame('.private_key is no private key in PEM (PKCS #8)');
    read.push(provider);
  });
  if (problems.length > 0) throw faultyFile(file, problems);
  return read;
};
