import { type ClientErrorCode, clientApi } from '@candela/contract';
import { faultOfShownUri, LOOPBACK_HOSTS } from '@candela/contract/rules/client-uri';
import type { Actor } from '../../clients/client/actor.ts';
import { findCallFaults } from '../../clients/client/client-file.ts';
import { faultOfBorrowedName, faultOfClientName } from '../../clients/client/client-name.ts';
import { faultAt, type RegistrationFault } from '../../clients/client/fault.ts';
import { findKeyFaults } from '../../clients/client/key-rules.ts';
import { registeredNames } from '../../clients/client/metadata-names.ts';
import { REFRESH_TOKEN_SECONDS } from '../../clients/client/policy-metadata.ts';
import { presets } from '../../clients/client/presets.ts';
import { webHostOf } from '../../clients/client/redirect-target.ts';
import type { Registration, RegistrationAllowances } from '../../clients/client/registration.ts';
import { findMissingSector, findSectorFaults } from '../../clients/client/sector-rules.ts';
import { heldByItself, scopesByOperators } from '../../clients/resource-server/machine-scopes.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';
import { isDeveloper, isOperator } from './access.ts';
import { findScopeFaults } from './unknown-scopes.ts';

/** What registrations are judged by, beyond their own fields. */
export interface ClientRules extends RegistrationAllowances {
  /** Ids and names of the brands that are served. */
  brands: readonly string[];
  brandNames: readonly string[];
  /** Ids of clients that the server itself registers. */
  reserved: readonly string[];
  /** Hosts of BACKCHANNEL_HOSTS. */
  backchannelHosts: readonly string[];
  /** Why the engine would refuse the client at its first request; undefined if it would not. */
  findFault(metadata: Record<string, unknown> & { client_id: string }): string | undefined;
}

/** What the database holds that a registration is judged by. */
export interface Surroundings {
  /** The protected APIs. */
  apis: readonly Pick<ResourceServer, 'brand' | 'scopes' | 'machine_access'>[];
  /** Names that people trust. */
  takenNames: readonly string[];
}

/** The fields that a developer sets. */
const ownFields = {
  create: Object.keys(clientApi.createClient.body.shape),
  update: Object.keys(clientApi.updateClient.body.shape),
} as const;

/** What these actors set beside. */
const fieldsBeside: Partial<Record<Actor['kind'], readonly string[]>> = {
  // A client that registers itself may say whatever specifications have a name for.
  registration: [...registeredNames, 'preset'],
  // Where the document stands.
  document: ['client_id'],
};

/** Fields that developers name and only operators set. */
export const findReservedFields = (
  actor: Actor,
  given: Record<string, unknown>,
  step: keyof typeof ownFields,
): RegistrationFault[] => {
  if (isOperator(actor)) return [];
  const names = [...ownFields[step], ...(fieldsBeside[actor.kind] ?? [])];
  return Object.keys(given)
    .filter((field) => !names.includes(field) && given[field] !== undefined)
    .map((field) => faultAt(field, 'field_reserved', 'is set by an operator only'));
};

const findNameFaults = ({ metadata }: Registration, { takenNames }: Surroundings): RegistrationFault[] => {
  const { client_name: name } = metadata;
  if (typeof name !== 'string' || name.trim() === '')
    return [faultAt('client_name', 'client_name_blank', 'is missing')];
  const fault = faultOfClientName(name, takenNames);
  return fault ? [faultAt('client_name', ...fault)] : [];
};

/** Where people return on the device itself, nobody is named. */
const isLoopback = (host: string): boolean => LOOPBACK_HOSTS.includes(host.replace(/:\d+$/, ''));

const isBorrowed = (
  { id, metadata }: { id: string; metadata: Readonly<Record<string, unknown>> },
  brands: readonly string[],
) => {
  const { client_name: name, redirect_uris: uris } = metadata;
  if (typeof name !== 'string') return undefined;
  const own = name.trim().toLowerCase();
  const targets = (Array.isArray(uris) ? uris : [])
    .map((uri) => webHostOf(uri) ?? '')
    .filter((host) => !isLoopback(host));
  const isOwn = targets.length > 0 && targets.every((host) => host === own || host.endsWith(`.${own}`));
  return faultOfBorrowedName(name, { brands, hosts: [webHostOf(id) ?? '', ...(isOwn ? [own] : [])] });
};

/**
 * What a developer names an app, an operator would be asked about. A name may be the host that people return to, so
 * another host is a fault of a name that stays; what an operator named so before stays.
 */
const findBorrowedNameFaults = (
  registration: Registration,
  { rules, changed, before }: JudgedBy,
): RegistrationFault[] => {
  const fault = isBorrowed(registration, rules.brandNames);
  if (!fault) return [];
  const isNew = changed?.has('client_name') ?? true;
  const was = before && isBorrowed({ ...registration, metadata: before }, rules.brandNames);
  return isNew || !was ? [faultAt('client_name', ...fault)] : [];
};

/** URIs that pages lead people to, or that the server shows something of. */
const shownUris = ['client_uri', 'policy_uri', 'tos_uri', 'logo_uri', 'initiate_login_uri'] as const;

const findShownUriFaults = ({ metadata }: Registration): RegistrationFault[] =>
  shownUris.flatMap((field) => {
    const uri = metadata[field];
    const fault = typeof uri === 'string' ? faultOfShownUri(uri) : undefined;
    return fault ? [faultAt(field, ...fault)] : [];
  });

const lifetimes = ['access_token_ttl', 'refresh_token_ttl', 'refresh_family_ttl'] as const;

/** Finds lifetimes that are longer than the preset's. */
const findLifetimeFaults = ({ metadata }: Registration): RegistrationFault[] => {
  const preset = Object.entries(presets).find(([name]) => name === metadata.preset)?.[1];
  return lifetimes.flatMap((field) => {
    const most =
      preset?.defaults[field] ?? (field === 'refresh_token_ttl' ? REFRESH_TOKEN_SECONDS : Infinity);
    return Number(metadata[field] ?? 0) > most
      ? [faultAt(field, 'lifetime_invalid', `must be at most ${most} seconds`)]
      : [];
  });
};

/** Where no person decides what a client may do, an operator does; what one gave stays. */
const findMachineScopeFaults = (
  { brand, metadata }: Registration,
  { surroundings, before = {} }: Pick<JudgedBy, 'surroundings' | 'before'>,
): RegistrationFault[] => {
  const reserved = scopesByOperators(surroundings.apis, brand);
  const held = heldByItself(before);
  const [refused] = heldByItself(metadata).filter((name) => reserved.has(name) && !held.includes(name));
  if (refused === undefined) return [];
  const problem = `has "${refused}", which an operator alone gives to a client of grant type client_credentials`;
  return [faultAt('scope', 'field_reserved', problem)];
};

/** What only developers are held to: operators know what they write. */
const findDeveloperFaults = (registration: Registration, surroundings: Surroundings): RegistrationFault[] => [
  ...findShownUriFaults(registration),
  ...findLifetimeFaults(registration),
  ...findScopeFaults(registration, surroundings.apis),
];

const findMissingUris = ({ metadata }: Registration): RegistrationFault[] => {
  const { grant_types: grantTypes = ['authorization_code'], redirect_uris: uris = [] } = metadata;
  const needed = Array.isArray(grantTypes) && grantTypes.includes('authorization_code');
  return needed && Array.isArray(uris) && uris.length === 0
    ? [faultAt('redirect_uris', 'uris_missing', 'is missing: codes are sent there')]
    : [];
};

/** The codes of what the engine finds, by field. */
const engineCodes: Readonly<Record<string, ClientErrorCode>> = {
  '': 'client_invalid',
  token_endpoint_auth_method: 'auth_method_invalid',
  redirect_uris: 'uri_invalid',
  post_logout_redirect_uris: 'uri_invalid',
  scope: 'scope_unknown',
  jwks: 'keys_invalid',
};

/** The engine begins with the field where a field is wrong. */
const findEngineFaults = ({ metadata }: Registration, rules: ClientRules): RegistrationFault[] => {
  const problem = rules.findFault(metadata);
  if (problem === undefined) return [];
  const [field = ''] = /^[a-z]+(_[a-z]+)+|^(jwks|scope|contacts)\b/.exec(problem) ?? [];
  return [{ field, code: engineCodes[field] ?? 'value_invalid', problem }];
};

/** What a registration is judged by. */
export interface JudgedBy {
  rules: ClientRules;
  surroundings: Surroundings;
  /** The fields that differ from what is stored; absent: all. What stays was right when it was written. */
  changed?: ReadonlySet<string> | undefined;
  /** What is stored; absent: nothing. */
  before?: Readonly<Record<string, unknown>> | undefined;
}

const findOwnFaults = (actor: Actor, registration: Registration, by: JudgedBy): RegistrationFault[] => {
  const { surroundings, changed } = by;
  const names = isOperator(actor) ? { ...surroundings, takenNames: [] } : surroundings;
  const found = [
    ...findNameFaults(registration, names),
    ...(isOperator(actor) ? [] : findDeveloperFaults(registration, surroundings)),
  ];
  return [
    ...found.filter(({ field }) => changed?.has(field) ?? true),
    ...(isOperator(actor)
      ? []
      : [
          ...findBorrowedNameFaults(registration, by),
          ...findMachineScopeFaults(registration, by),
          ...findSectorFaults(registration, by),
        ]),
  ];
};

/** Why a registration that `actor` made or changed is refused; empty if it is not. */
export const findFaults = (actor: Actor, registration: Registration, by: JudgedBy): RegistrationFault[] => {
  const { id, brand, metadata, faults } = registration;
  const { rules } = by;
  const isMade = by.changed === undefined;
  const found = [
    ...faults,
    ...findOwnFaults(actor, registration, by),
    ...findMissingUris(registration),
    ...findKeyFaults(metadata),
    ...findMissingSector(metadata, by.before),
    ...findCallFaults(metadata, rules.backchannelHosts),
  ];
  if (isDeveloper(actor) && isMade && metadata.preset === undefined)
    found.push(faultAt('preset', 'preset_unknown', 'is missing'));
  if (rules.reserved.includes(id)) found.push(faultAt('client_id', 'value_invalid', 'is the server’s own'));
  if (isMade && actor.kind === 'machine' && actor.brand !== undefined && actor.brand !== brand)
    found.push(faultAt('brand', 'brand_unknown', `must be "${actor.brand}", the brand of this machine`));
  else if (brand !== undefined && !rules.brands.includes(brand))
    found.push(
      faultAt('brand', 'brand_unknown', `"${brand}" is not served: served are ${rules.brands.join(', ')}`),
    );
  // Our own rules describe a fault better than the engine does.
  return found.length > 0 ? found : findEngineFaults(registration, rules);
};
