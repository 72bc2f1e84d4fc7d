import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import type { Brand, BrandWithPlace } from '../../branding/brand/brand.ts';
import type { TextCatalog } from '../../branding/brand/brand-texts.ts';
import { readBrandsFile } from '../../branding/brand/brands-file.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { DESK_BRAND_ID, withDeskBrand } from '../../branding/brand/desk-brand.ts';
import { placeBrands } from '../../branding/brand/place-brands.ts';
import type { ClientEntry } from '../../clients/client/client-entry.ts';
import {
  type ClientFileRules,
  PLAYGROUND_CLIENT_ID,
  readClientFile,
} from '../../clients/client/client-file.ts';
import type { ResourceServerEntry } from '../../clients/resource-server/resource-server-entry.ts';
import { readResourceServerFile } from '../../clients/resource-server/resource-server-file.ts';
import type { IdentityProvider } from '../../federation/identity-provider/identity-provider.ts';
import { readProviderFile } from '../../federation/provider-file/provider-file.ts';
import type { SettingsFile } from '../../ground/settings-file/settings-file.ts';
import { ConfigError } from '../../ground/start-error.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import type { Places } from './settings.ts';

/** What the files of BRANDS_FILE, CLIENTS_FILE, RESOURCES_FILE and PROVIDERS_FILE hold. */
export interface FileSettings {
  /** The brands that are served; the brand of PUBLIC_URL first. */
  brands: readonly [Brand, ...Brand[]];
  /** Ids of brands of BRANDS_FILE that are not served: they have no origin, and PUBLIC_URL is another brand's. */
  unservedBrands: readonly string[];
  /** What the entries of a file of clients may and may not name. */
  clientRules: Omit<ClientFileRules, 'findFault'>;
  /** Whether CLIENTS_FILE is set. */
  clientsFile: boolean;
  clients: readonly ClientEntry[];
  /** Whether RESOURCES_FILE is set. */
  resourcesFile: boolean;
  resources: readonly ResourceServerEntry[];
  /** Hosts of apps that the server itself calls, which may be at any address and port, and without TLS. */
  backchannelHosts: readonly string[];
  /** The identity providers that people may sign in with; none without PROVIDERS_FILE. */
  providers: readonly IdentityProvider[];
  /** Hosts of identity providers, which may be at any address and port, and without TLS. */
  providerHosts: readonly string[];
}

export interface FileSettingsOptions {
  places: Pick<Places, 'publicUrl' | 'playgroundPort' | 'deskOrigin'>;
  /** The texts that a brand may replace. */
  catalog: TextCatalog;
  /** Answers why the engine would refuse a client. */
  findClientFault: ClientFileRules['findFault'];
  problems: string[];
}

/** What `read` gives; undefined when it throws a ConfigError, whose problems join the others. */
const collect = <T>(problems: string[], read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
};

const readBrands = (
  file: SettingsFile | undefined,
  { faulty }: Pick<EnvironmentReader, 'faulty'>,
  { places: { publicUrl, deskOrigin }, catalog, problems }: FileSettingsOptions,
) => {
  const known: readonly BrandWithPlace[] | undefined = collect(problems, () => readBrandsFile(file, catalog));
  const isPlaced = !faulty.has('PUBLIC_URL') && !faulty.has('BRANDS_FILE');
  const served = isPlaced && known ? collect(problems, () => placeBrands(known, publicUrl)) : undefined;
  const ids = served?.map(({ id }) => id);
  if (deskOrigin && ids?.includes(DESK_BRAND_ID))
    problems.push(`DESK_ORIGIN: the id "${DESK_BRAND_ID}" is the desk’s, and a brand of BRANDS_FILE has it`);
  return {
    served: served ?? placeBrands(builtInBrands, publicUrl),
    /** undefined: the file or PUBLIC_URL is wrong, and nobody knows which brands are served. */
    ids,
    unserved: file ? (known ?? []).map(({ id }) => id).filter((id) => ids && !ids.includes(id)) : [],
  };
};

/** Reads the files that settings name, and the hosts that their entries may name. */
export const readFileSettings = (reader: EnvironmentReader, options: FileSettingsOptions): FileSettings => {
  const { text, hosts, schemes, faulty } = reader;
  const { places, findClientFault, problems } = options;
  const fileOf = (name: string): SettingsFile | undefined => {
    const path = text(name);
    return path === undefined ? undefined : { path, name: `${name} ${path}` };
  };
  const brands = readBrands(fileOf('BRANDS_FILE'), reader, options);
  const backchannelHosts = hosts('BACKCHANNEL_HOSTS');
  const clientRules = {
    brands: brands.ids,
    reserved: [PORTAL_CLIENT_ID, ...(places.playgroundPort > 0 ? [PLAYGROUND_CLIENT_ID] : [])],
    backchannelHosts,
    nativeSchemes: schemes('NATIVE_SCHEMES'),
  };
  const clientsFile = fileOf('CLIENTS_FILE');
  const clients =
    clientsFile &&
    collect(problems, () =>
      readClientFile(clientsFile, {
        ...clientRules,
        areHostsUnknown: faulty.has('BACKCHANNEL_HOSTS'),
        findFault: findClientFault,
      }),
    );
  const resourcesFile = fileOf('RESOURCES_FILE');
  const resources =
    resourcesFile && collect(problems, () => readResourceServerFile(resourcesFile, brands.ids));
  const providersFile = fileOf('PROVIDERS_FILE');
  const providerHosts = hosts('PROVIDER_HOSTS');
  const providers =
    providersFile &&
    collect(problems, () =>
      readProviderFile(providersFile, {
        brands: brands.ids,
        privateHosts: faulty.has('PROVIDER_HOSTS') ? undefined : providerHosts,
      }),
    );
  return {
    brands: withDeskBrand(brands.served, places.deskOrigin),
    unservedBrands: brands.unserved,
    clientRules,
    clientsFile: clientsFile !== undefined,
    clients: clients ?? [],
    resourcesFile: resourcesFile !== undefined,
    resources: resources ?? [],
    backchannelHosts,
    providers: providers ?? [],
    providerHosts,
  };
};
