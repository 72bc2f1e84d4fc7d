/** The scope of a machine that registers clients. */
export const CLIENTS_SCOPE = 'clients';

/** The identifier of the API of clients at a brand (RFC 8707): the `resource` of a machine's token request. */
export const clientsApiOf = (origin: string): string => `${origin}/api`;

/** Where the API answers. */
export const CLIENTS_PATH = '/api/clients';
