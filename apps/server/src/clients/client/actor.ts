/**
 * Who changes a registration. `operator`: a command. `file`: CLIENTS_FILE. `account`: a developer, by the id of the
 * account. `machine`: by its client id, and the only brand that has it. `registration`: whoever holds the registration access token of the client
 * (RFC 7592), or an initial access token, by the name of it; without a name it needed no token. `document`: the client's own metadata document.
 */
export type Actor =
  | { kind: 'operator' | 'file' | 'document' }
  | { kind: 'account'; id: string }
  | { kind: 'machine'; id: string; brand?: string | undefined }
  | { kind: 'registration'; id?: string };

/** An actor that sees its own clients alone. */
export type Developer = Actor & { kind: 'account' | 'machine' };
