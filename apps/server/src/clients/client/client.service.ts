import type { ClientSource } from '@candela/contract';
import type { Kysely } from 'kysely';
import { ofBrand } from '../../branding/brand/of-brand.ts';
import { type ChangeAwareCacheOptions, createChangeAwareCache } from '../../ground/db/change-aware-cache.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import { findClient, listClients, type StoredSecret } from './client.repository.ts';
import type { ClientRow } from './client.table.ts';
import { CLIENT_ID } from './client-entry.ts';
import { clientFingerprint } from './client-fingerprint.ts';
import { type SecretUse, updateSecretUses } from './client-secret.repository.ts';
import type { SecretHashes } from './secret-hashes.ts';

/** A client as pages know it. `metadata` has the names of RFC 7591, without secrets. */
export interface ClientProfile {
  id: string;
  /** undefined: every brand has the client. */
  brand: string | undefined;
  metadata: Record<string, unknown> & { client_id: string };
  firstParty: boolean;
  source: ClientSource;
  /** The name of its logo, if the server holds one. */
  logo?: string;
}

/** A registered client, as the protocol knows it. */
export interface Client extends ClientProfile {
  /** Whether it is the brand’s own under the names and at the hosts that an operator approved. */
  isVouchedFor: boolean;
  /** Whether a developer of the client signs in at this server. */
  hasMembers: boolean;
  /** The keyed hashes of its secrets, those that have ended included; the one that works longest is first. */
  secrets: readonly StoredSecret[];
  /** When a client ends that registered itself. */
  endsAt?: Date;
}

const isOver = ({ endsAt }: Client): boolean => endsAt !== undefined && endsAt <= databaseNow();

export interface ClientServiceOptions {
  db: Kysely<Database>;
  hashes: SecretHashes;
  changes?: ChangeAwareCacheOptions<Client | undefined>['changes'];
}

/** `ended`: it was a secret of the client until it ended. */
export type SecretVerdict = 'right' | 'wrong' | 'ended';

/** What the protocol reads of clients. `ClientRegistry` changes them. */
export interface ClientService {
  /** The client of that id, if the brand has it and it is neither disabled nor over. */
  findClient(id: string, brand: string): Promise<Client | undefined>;

  listClients(): Promise<ClientRow[]>;

  /** Whether that is a secret of the client. A right one counts as used: see `writeUses`. */
  judgeSecret(client: Client, presented: string): SecretVerdict;

  /** Writes which secrets were used since the last call. A process that is killed loses what it has not written. */
  writeUses(): Promise<void>;

  /** Reads the client anew at the next look-up. For whoever changed it in this process. */
  forget(id: string): void;
}

const loadClient = async (db: Kysely<Database>, id: string): Promise<Client | undefined> => {
  const row = await findClient(db, id);
  if (!row || row.disabled) return undefined;
  return {
    id: row.id,
    brand: row.brand ?? undefined,
    metadata: { ...row.metadata, client_id: row.id },
    firstParty: row.first_party,
    source: row.source,
    isVouchedFor: row.first_party && row.approved_fingerprint === clientFingerprint(row.metadata),
    hasMembers: row.has_members,
    secrets: row.secrets,
    ...(row.logo && { logo: row.logo }),
    ...(row.ends_at && { endsAt: row.ends_at }),
  };
};

export const createClientService = ({ db, hashes, changes }: ClientServiceOptions): ClientService => {
  const cache = createChangeAwareCache({ table: 'client', changes, load: (id) => loadClient(db, id) });
  /** By hash. */
  let uses = new Map<string, SecretUse>();

  return {
    findClient: async (id, brand) => {
      const client = CLIENT_ID.test(id) ? ofBrand(await cache.get(id), brand) : undefined;
      return client && !isOver(client) ? client : undefined;
    },

    listClients: () => listClients(db),

    judgeSecret: ({ id, secrets }, presented) => {
      const found = hashes.findMatch(secrets, presented);
      if (!found) return 'wrong';
      const { hash, endsAt } = found;
      if (endsAt !== null && endsAt * 1000 <= databaseNow().getTime()) return 'ended';
      if (!uses.has(hash)) uses.set(hash, { clientId: id, hash });
      return 'right';
    },

    writeUses: async () => {
      const written = [...uses.values()];
      uses = new Map();
      if (written.length > 0) await updateSecretUses(db, written, databaseNow());
    },

    forget: cache.forget,
  };
};
