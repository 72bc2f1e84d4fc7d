/** A shell word: in quotes where the shell would read it otherwise. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Whether who reads a page of this host can run commands on its server: it is their own machine. Elsewhere only
 * operators can, and no developer is known to be one.
 */
export const runsHere = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');

/** A command with its arguments, as a terminal in the folder of the server takes it. */
export const commandLine = (...words: readonly string[]): string =>
  ['npx pnpm@12 candela', ...words.map(quote)].join(' ');

/** The path of a client in the API. An id that an operator chose may be an address. */
export const apiPathOf = (id: string): string => `/api/clients/${encodeURIComponent(id)}`;

interface Request {
  method: string;
  url: string;
  body?: unknown;
}

/** The same as a request of a machine, whose access token is in `$TOKEN`. */
export const curlOf = ({ method, url, body }: Request): string =>
  [
    `curl -X ${method} ${quote(url)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
  ].join(' \\\n  ');

/** `--set` for each field: JSON, or nothing in place of null. */
export const settingsOf = (patch: object): string[] =>
  Object.entries(patch).flatMap(([field, value]) => {
    if (value === null) return ['--set', `${field}=`];
    return ['--set', `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`];
  });
