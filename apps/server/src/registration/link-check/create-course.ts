import type { PlatformPreset } from '@candela/contract/rules/client-presets';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import { scopesForPeople } from '../../clients/resource-server/allowed-scopes.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import type { Course } from './course.ts';
import { type CredentialPlace, conducts } from './platform-conduct.ts';

const methods: Readonly<Record<CredentialPlace, string>> = {
  basic: 'client_secret_basic',
  body: 'client_secret_post',
};

/** Where the platform puts the credentials: as its console is set for this client, if it offers that. */
const credentialsOf = (platform: PlatformPreset, metadata: Course['metadata']): CredentialPlace => {
  const { credentials } = conducts[platform];
  const method = metadata.token_endpoint_auth_method ?? methods.basic;
  return credentials.find((place) => methods[place] === method) ?? credentials[0];
};

/** The API that the registration names scopes of: its platform's requests name it as `resource`. */
export const findResource = async (
  resourceServers: Pick<ResourceServerService, 'listOfBrand'>,
  brand: string,
  { id, metadata, source, first_party: firstParty }: ClientRow,
): Promise<Course['resource']> => {
  if (readWords(metadata.scope).length === 0) return undefined;
  const client = { metadata: { ...metadata, client_id: id }, source, firstParty };
  for (const resource of await resourceServers.listOfBrand(brand)) {
    const scope = scopesForPeople(resource, client)
      .map(({ name }) => name)
      .join(' ');
    if (scope !== '') return { identifier: resource.identifier, scope };
  }
  return undefined;
};

/** What a check of a client goes by. Reports show the client's own id, and no secret. */
export const createCourse = (
  { row, ...known }: Pick<Course, 'platform' | 'standIn' | 'resource' | 'age'> & { row: ClientRow },
  common: Pick<Course, 'issuer' | 'masks' | 'visitor' | 'browser' | 'interactions'>,
): Course => {
  const { platform, standIn } = known;
  common.masks.rename(standIn.id, row.id);
  common.masks.hide(standIn.secret, 'secret');
  return {
    ...common,
    ...known,
    conduct: conducts[platform],
    metadata: row.metadata,
    isDisabled: row.disabled,
    credentials: credentialsOf(platform, row.metadata),
  };
};
