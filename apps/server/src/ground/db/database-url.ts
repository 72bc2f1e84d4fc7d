/** Which host serves: any that answers, one that takes writes, or one that is no standby. */
export type SessionAttributes = 'any' | 'read-write' | 'primary';

/** What the value of DATABASE_URL says, spelled as libpq spells it. */
export interface DatabaseUrl {
  /** For each host a URL of its own, in the order in which they are tried. */
  urls: readonly [string, ...string[]];
  /** `read-write` where several hosts are named and nothing else is asked. */
  attributes: SessionAttributes;
  /** How long each host may take to connect; undefined where the URL does not say. */
  connectSeconds: number | undefined;
}

const SHAPE =
  /^(?<protocol>postgres(?:ql)?:)\/\/(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?$/;
const ATTRIBUTES: readonly SessionAttributes[] = ['any', 'read-write', 'primary'];
const MAX_CONNECT_SECONDS = 60;
/** Parameters that are read here, and mean nothing to the driver. */
const OWN_PARAMETERS = /^(?:target_session_attrs|connect_timeout)=/;

const partsOf = (value: string) => {
  const { protocol, user, hosts = '', path = '', query = '' } = SHAPE.exec(value)?.groups ?? {};
  if (!protocol) return undefined;
  const left = query.split('&').filter((parameter) => parameter && !OWN_PARAMETERS.test(parameter));
  return {
    start: `${protocol}//${user === undefined ? '' : `${user}@`}`,
    hosts: hosts.split(','),
    end: `${path}${left.length > 0 ? `?${left.join('&')}` : ''}`,
    parameters: new URLSearchParams(query),
  };
};

type Parts = NonNullable<ReturnType<typeof partsOf>>;

const urlsOf = ({ start, hosts, end }: Parts): string[] => hosts.map((host) => `${start}${host}${end}`);

/** The parameters whose values make no sense. */
const findParameterFault = ({ hosts, parameters }: Parts): string | undefined => {
  const attributes = parameters.get('target_session_attrs');
  const seconds = parameters.get('connect_timeout');
  if (attributes !== null && !ATTRIBUTES.some((known) => known === attributes))
    return `takes target_session_attrs ${ATTRIBUTES.join(', ')}, not "${attributes}": the server writes to every database that it uses`;
  if (seconds !== null && !(/^[1-9]\d?$/.test(seconds) && Number(seconds) <= MAX_CONNECT_SECONDS))
    return `takes a connect_timeout from 1 to ${MAX_CONNECT_SECONDS} seconds, not "${seconds}"`;
  if (parameters.get('host')?.includes(',') || (parameters.has('host') && hosts.length > 1))
    return 'names several hosts before its path, as in postgres://user:password@host1:5432,host2:5432/candela';
  return undefined;
};

/**
 * Says what is wrong with a URL of a database, as the end of a sentence that begins with its setting. It repeats
 * nothing that may be secret.
 * @param kind ends the sentence about what is no such URL at all
 */
export const findDatabaseUrlFault = (value: string, kind: string): string | undefined => {
  const parts = partsOf(value);
  const { hosts = [] } = parts ?? {};
  if (hosts.length > 1 && hosts.includes('')) return 'has an empty host among its hosts';
  // Of a password with a slash, what stands before it would be the host, and the rest would be shown as the path.
  if (parts?.end.includes('@'))
    return 'has an @ behind its hosts: write / in a password as %2F, and ? as %3F';
  if (!parts || urlsOf(parts).some((url) => !URL.canParse(url))) return `must be a URL ${kind}`;
  const twice = hosts.find((host, index) => hosts.indexOf(host) !== index);
  if (twice !== undefined) return `names the host ${twice} twice`;
  return findParameterFault(parts);
};

/**
 * Reads a URL in which `findDatabaseUrlFault` finds no fault.
 * @throws TypeError where it is no URL of PostgreSQL
 */
export const parseDatabaseUrl = (value: string): DatabaseUrl => {
  const parts = partsOf(value);
  const [first, ...others] = parts ? urlsOf(parts) : [];
  if (!parts || first === undefined) throw new TypeError('not a URL of PostgreSQL');
  const asked = ATTRIBUTES.find((known) => known === parts.parameters.get('target_session_attrs'));
  const seconds = parts.parameters.get('connect_timeout');
  return {
    urls: [first, ...others],
    attributes: asked ?? (others.length > 0 ? 'read-write' : 'any'),
    connectSeconds: seconds === null ? undefined : Number(seconds),
  };
};

/** The hosts, database and user of a URL, without its password and other parts that may be secret. */
export const redactDatabaseUrl = (value: string): string => {
  const { urls } = parseDatabaseUrl(value);
  const { protocol, username, pathname } = new URL(urls[0]);
  const hosts = urls.map((url) => new URL(url).host);
  return `${protocol}//${username}${username && '@'}${hosts.join()}${pathname}`;
};
