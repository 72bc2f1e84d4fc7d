import type { Kysely } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import type { ClientService } from '../../../clients/client/client.service.ts';
import type { Database } from '../../../ground/db/database.ts';
import type { ClientDocumentService } from '../../../registration/client-document/client-document.service.ts';
import type { UserCodeKeys } from '../device/user-code.ts';
import type { AnonymousLimits } from '../request/anonymous-limits.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import type { UnitOfWork } from '../storage/unit.ts';

export interface AdapterContext {
  db: Kysely<Database>;
  /** Every row carries its brand and is never found from another. */
  brand: string;
  /** The ids of all brands that are served. */
  servedBrands: readonly string[];
  /** The origin of the brand. */
  origin: string;
  clients: ClientService;
  /** Absent: no client id metadata documents are taken. */
  documents?: ClientDocumentService | undefined;
  anonymousLimits: AnonymousLimits;
  userCodeKeys: UserCodeKeys;
}

/** On whose behalf the engine calls a model. Outside of a request `unit` is one of the call's own. */
export interface Call {
  unit: UnitOfWork;
  request: EngineRequest;
}

/** What a model's storage does; what it leaves out, the engine never asks of that model. Lifetimes are in seconds. */
export interface ModelAdapter {
  find(id: string, call: Call): Promise<AdapterPayload | undefined>;
  findByUid?(uid: string, call: Call): Promise<AdapterPayload | undefined>;
  findByUserCode?(userCode: string, call: Call): Promise<AdapterPayload | undefined>;
  upsert?(id: string, payload: AdapterPayload, expiresIn: number, call: Call): Promise<void>;
  consume?(id: string, call: Call): Promise<void>;
  destroy?(id: string, call: Call): Promise<void>;
  revokeByGrantId?(grantId: string, call: Call): Promise<void>;
}

export type { AdapterPayload };
