import type { Kysely } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import type { ClientService } from '../../client/client.service.ts';
import type { Database } from '../../db/database.ts';
import type { UserCodeKeys } from '../device/user-code.ts';
import type { AnonymousLimits } from '../request/anonymous-limits.ts';

export interface AdapterContext {
  db: Kysely<Database>;
  /** Every row carries its brand and is never found from another. */
  brand: string;
  clients: ClientService;
  anonymousLimits: AnonymousLimits;
  userCodeKeys: UserCodeKeys;
}

/** What a model's storage does; what it leaves out, the engine never asks of that model. Lifetimes are in seconds. */
export interface ModelAdapter {
  find(id: string): Promise<AdapterPayload | undefined>;
  findByUid?(uid: string): Promise<AdapterPayload | undefined>;
  findByUserCode?(userCode: string): Promise<AdapterPayload | undefined>;
  upsert?(id: string, payload: AdapterPayload, expiresIn: number): Promise<void>;
  consume?(id: string): Promise<void>;
  destroy?(id: string): Promise<void>;
  revokeByGrantId?(grantId: string): Promise<void>;
}

export type { AdapterPayload };
