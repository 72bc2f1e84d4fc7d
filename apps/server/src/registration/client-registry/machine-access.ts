import type { Kysely } from 'kysely';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { Developer } from '../../clients/client/actor.ts';
import type { ClientService } from '../../clients/client/client.service.ts';
import { scopesForMachine } from '../../clients/resource-server/allowed-scopes.ts';
import {
  CLIENTS_SCOPE,
  type OwnApiPlace,
  ownApiIdentifier,
  ownApiOf,
  type TokenRefusal,
} from '../../clients/resource-server/own-api.ts';
import type { Database } from '../../ground/db/database.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { findMachineToken } from '../../link/oidc-model/machine-token.repository.ts';

export interface MachineAccess {
  /** The machine that a token of a brand was issued to, or why the token is refused. */
  judge(token: string, brand: OwnApiPlace): Promise<Developer | TokenRefusal>;
}

export const createMachineAccess = ({
  db,
  clients,
}: {
  db: Kysely<Database>;
  clients: Pick<ClientService, 'findClient'>;
}): MachineAccess => ({
  judge: async (token, place) => {
    const { id: brand, origin } = place;
    const found = await findMachineToken(db, { brand, idHash: hashToken(token) });
    // A token that is bound to a key is no bearer token (RFC 9449 section 7.2).
    if (!found || found.jkt !== undefined || found.aud !== ownApiIdentifier(origin)) return 'invalid_token';
    const machine = await clients.findClient(found.clientId, brand);
    if (!machine) return 'invalid_token';
    // The operator may have taken the scope away since the token was issued.
    const allowed = scopesForMachine(ownApiOf(place), machine);
    return [allowed, readWords(found.scope)].every((scopes) => scopes.includes(CLIENTS_SCOPE))
      ? { kind: 'machine', id: found.clientId }
      : 'insufficient_scope';
  },
});
