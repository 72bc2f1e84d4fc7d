import type { Kysely } from 'kysely';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { ClientService } from '../../clients/client/client.service.ts';
import { scopesForMachine } from '../../clients/resource-server/allowed-scopes.ts';
import type { TokenRefusal } from '../../clients/resource-server/own-api.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { findMachineToken } from '../../link/oidc-model/machine-token.repository.ts';

/** What a request needs of a token: an API of the server at a brand, and one of these scopes of it. */
export interface TokenNeed {
  api: ResourceServer;
  scopes: readonly string[];
}

/** A client that acts on its own behalf. */
export interface Machine {
  kind: 'machine';
  /** The client's id. */
  id: string;
  /** The only brand that has it; undefined: every brand. */
  brand: string | undefined;
}

export interface MachineAccess {
  /** The machine that a token of a brand was issued to, or why the token is refused. */
  judge(token: string, brand: string, need: TokenNeed): Promise<Machine | TokenRefusal>;
}

export const createMachineAccess = ({
  db,
  clients,
}: {
  db: Kysely<Database>;
  clients: Pick<ClientService, 'findClient'>;
}): MachineAccess => ({
  judge: async (token, brand, { api, scopes }) => {
    const found = await findMachineToken(db, { brand, idHash: hashToken(token) });
    // A token that is bound to a key is no bearer token (RFC 9449 section 7.2).
    if (!found || found.jkt !== undefined || found.aud !== api.identifier) return 'invalid_token';
    const machine = await clients.findClient(found.clientId, brand);
    if (!machine) return 'invalid_token';
    // The scope may have been taken away since the token was issued.
    const allowed = scopesForMachine(api, machine);
    const granted = readWords(found.scope).filter((scope) => allowed.includes(scope));
    return scopes.some((scope) => granted.includes(scope))
      ? { kind: 'machine', id: found.clientId, brand: machine.brand }
      : 'insufficient_scope';
  },
});
