import type {
  ClientHistory,
  ClientMember,
  ClientMemberRemoved,
  ClientSecretAdded,
  ClientSource,
  CreateClient,
  RegisteredClient,
  UpdateClient,
} from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import type { RegistrationFault } from '../../clients/client/fault.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EntryChange } from '../../ground/settings-file/entry-change.ts';

/** Metadata of a new client: what a developer may set, and what only an operator may. */
interface ClientDraft extends Omit<CreateClient, 'preset'> {
  /** Required of accounts and machines. */
  preset?: string;
  /** Operators and documents only. Default: a random id of 22 characters of letters, digits, `-` and `_`. */
  client_id?: string;
  first_party?: boolean;
  verified?: boolean;
  /** Operators only: the account that owns the client. */
  owner?: string;
}

interface ClientPatch extends UpdateClient {
  /** Operators only. */
  first_party?: boolean | null;
  verified?: boolean | null;
  brand?: string | null;
  /** For a client that replaces what it said of itself (RFC 7592 section 2.2). */
  preset?: string;
}

/** What a caller adds to the rules of all registrations. */
export interface RegistrationTerms {
  /** What it refuses of the metadata, which the preset has completed. */
  findFaults(metadata: Readonly<Record<string, unknown>>): RegistrationFault[];
  /** Runs in the transaction that registers the client. What it throws takes the registration back. */
  alongside?(trx: Kysely<Database>, clientId: string): Promise<void>;
}

interface Paging {
  /** `next` of the page before. */
  after?: string | undefined;
}

/** A client in a list, without its health. */
export type ListedClient = Pick<
  RegisteredClient,
  'client_id' | 'client_name' | 'preset' | 'brand' | 'disabled' | 'verified' | 'role' | 'createdAt' | 'source'
> & { logo?: string; sharedAt?: string };

/** What holds for a deletion. */
export interface DeletionTerms {
  /** The name of the client, which developers type. */
  confirm?: string | undefined;
  /** Throws where the client is not to be deleted. It is asked under the lock of the row, before anything ends. */
  requireDue?(trx: Kysely<Database>, row: ClientRow): Promise<void>;
}

/**
 * Every change of a registration, whichever way it comes. Each change writes a row of the client's history in its
 * transaction, under a lock of the client's row, and reaches every process within a second.
 *
 * An `account` and a `machine` see their own clients alone: another's is `not_found`, as an unknown one is. An
 * operator sees all of them.
 */
export interface ClientRegistry {
  /**
   * Registers a client, and makes its secret where it authenticates by one.
   * @throws AppError client_invalid or the one code of all faults, with `fields`; clients_exhausted.
   */
  create(
    actor: Actor,
    draft: ClientDraft,
    terms?: RegistrationTerms,
  ): Promise<{ client: RegisteredClient; secret?: string }>;

  /**
   * Registers or replaces clients by id, all of them or none. An entry without `disabled` leaves that as it was; its
   * `client_secret` replaces the secret named `registered` alone. With `dryRun` nothing is written.
   * @throws z.core.$ZodError when an entry is not of the form.
   * @throws ConfigError naming what else is wrong with which client.
   */
  apply(actor: Actor, entries: unknown, options?: { dryRun?: boolean }): Promise<EntryChange[]>;

  /** A page of the actor's clients, or of those that became known in one way, the newest first. */
  list(
    actor: Actor,
    paging?: Paging & { source?: ClientSource | undefined },
  ): Promise<{ items: ListedClient[]; next?: string }>;

  /** @throws AppError not_found */
  get(actor: Actor, id: string): Promise<RegisteredClient>;

  /**
   * Changes metadata: fields that are left out stay, null clears a field.
   * @throws AppError not_found; client_invalid or the one code of all faults, with `fields`; operator_required where
   * who is no operator changes more than `contacts` of a first-party client; disabled_by_operator where a client that
   * looks after itself is disabled.
   */
  update(
    actor: Actor,
    id: string,
    patch: ClientPatch,
    terms?: Pick<RegistrationTerms, 'findFaults'>,
  ): Promise<RegisteredClient>;

  /**
   * Makes one more secret. `expiresAt` is an ISO 8601 time in the future, within five years.
   * @throws AppError not_found, secret_name_invalid, secret_name_taken, secrets_exhausted, expiry_invalid,
   * auth_method_invalid for a client that authenticates otherwise, disabled_by_operator as `update` throws it.
   */
  addSecret(
    actor: Actor,
    id: string,
    secret: { name: string; expiresAt?: string },
  ): Promise<ClientSecretAdded>;

  /** @throws AppError not_found; last_secret, unless an operator removes it */
  removeSecret(actor: Actor, id: string, name: string): Promise<void>;

  /**
   * Disables or enables a client; answers whether that changed anything. What an operator disabled, only an operator
   * enables. `alongside` runs in the transaction that changes it; what it throws takes that back.
   * @throws AppError not_found, disabled_by_operator, operator_required
   */
  setDisabled(
    actor: Actor,
    id: string,
    disabled: boolean,
    alongside?: (trx: Kysely<Database>) => Promise<void>,
  ): Promise<boolean>;

  /**
   * Deletes a client with everything that it was given.
   * @throws AppError not_found, owner_required, operator_required, confirmation_differs, and what `terms` throw
   */
  delete(actor: Actor, id: string, terms?: DeletionTerms): Promise<void>;

  /** A page of the history, the newest change first. @throws AppError not_found */
  history(actor: Actor, id: string, paging?: Paging): Promise<ClientHistory>;

  /** The developers of a client, the owner first. @throws AppError not_found */
  members(actor: Actor, id: string): Promise<ClientMember[]>;

  /**
   * Makes an allowed developer, found by an identifier as typed, a member of a client; one that is a member stays what
   * it is. `alongside` runs in the transaction that makes the member; what it throws takes that back.
   * @throws AppError not_found, owner_required, identifier_blank, identifier_invalid, phone_invalid, email_invalid,
   * developer_unknown, too_many_values beyond 20.
   */
  addMember(
    actor: Actor,
    id: string,
    identifier: string,
    alongside?: (trx: Kysely<Database>, accountId: string) => Promise<void>,
  ): Promise<ClientMember>;

  /**
   * An owner takes off anybody, a member itself. Answers the secrets that work on and that the one taken off may know.
   * @throws AppError not_found, owner_required, last_owner
   */
  removeMember(actor: Actor, id: string, accountId: string): Promise<ClientMemberRemoved>;
}
