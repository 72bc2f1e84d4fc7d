import { query } from '../support/postgres.ts';
import type { Batch, TokenModel } from './setting.ts';

const tables: Record<TokenModel, string> = {
  AuthorizationCode: 'authorization_code',
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
};

/**
 * Keeps the rows of one real flow as templates of all rows made in bulk, so that a copy has every column of the
 * server’s tables. The hash is made of `tokenValue` by the server’s own `hashId`.
 */
export const keepTemplates = (databaseUrl: string) =>
  query(
    databaseUrl,
    `create schema bench;
     create function bench.base64url_hash(value text) returns text immutable parallel safe language sql as
       $$ select rtrim(translate(encode(sha256(convert_to(value, 'UTF8')), 'base64'), '+/', '-_'), '=') $$;
     create function bench.insert_copies(name text, copies bigint, changes jsonb) returns void language plpgsql as $$
       declare columns text; expressions text;
       begin
         select string_agg(quote_ident(column_name), ', '),
                string_agg(coalesce(changes->>column_name, 'template.' || quote_ident(column_name)), ', ')
           into columns, expressions from information_schema.columns
           where table_schema = 'public' and table_name = name and is_generated = 'NEVER';
         execute format('insert into %1$I (%2$s) select %3$s from bench.%1$I as template, generate_series(0, %4$s - 1) as n',
           name, columns, expressions, copies);
       end $$;
     create table bench.plain_index as
       select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       where indrelid = any('{${[...Object.values(tables), 'account', 'authorization_grant', 'interaction', 'session'].join(', ')}}'::regclass[])
         and not exists (select from pg_constraint where conindid = indexrelid);
     create function bench.drop_indexes() returns void language plpgsql as $$
       declare index record;
       begin for index in select * from bench.plain_index loop execute 'drop index ' || index.name; end loop; end $$;
     create function bench.restore_indexes() returns void language plpgsql as $$
       declare index record;
       begin for index in select * from bench.plain_index loop execute index.definition; end loop; end $$;
     create table bench.account as select * from account limit 1;
     create table bench.account_identifier as select * from account_identifier limit 1;
     create table bench.authorization_grant as select * from authorization_grant limit 1;
     create table bench.session as select * from session where account_id is not null limit 1;
     create table bench.interaction as select * from interaction limit 1;
     create table bench.remembered_consent as select * from remembered_consent limit 1;
     ${Object.values(tables)
       .map((table) => `create table bench.${table} as select * from ${table} limit 1;`)
       .join('\n')}
     update bench.authorization_code set consumed_at = null;`,
  );

/** SQL expressions, by the columns that they replace. */
type Changes = Record<string, string>;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Inserts `count` copies of the template, numbered `n`, each with the `changes`. */
export const insertCopies = (table: string, count: number, changes: Changes): string =>
  `select bench.insert_copies(${quote(table)}, ${count}, ${quote(JSON.stringify(changes))});`;

const idOf = (model: string, batch: string, index: string) =>
  `bench.base64url_hash('${model}/${batch}/' || ${index})`;

export interface MintOptions {
  /** How many tokens of a model share a grant. */
  perGrant?: number;
  /** The number of new people who share the grants; by default the person of the first flow has all grants. */
  accounts?: number;
  /** When the rows expire, as a SQL expression. */
  expiresAt?: string;
  /** Further columns of the grants that differ from the template. */
  grants?: Changes;
  /** Inserts the sessions that the grants refer to. */
  sessions?: string;
}

const accountCopies = (batch: string, accounts: number): string => {
  const id = idOf('Account', batch, 'n');
  const identifier = { account_id: id, value: `${id} || '@example.com'`, display: `${id} || '@example.com'` };
  return insertCopies('account', accounts, { id }) + insertCopies('account_identifier', accounts, identifier);
};

/** The SQL statements that make a batch of tokens and their grants. */
export const mintSql = ({ name, count, models }: Batch, options: MintOptions = {}): string => {
  const { perGrant = 1, accounts, expiresAt = `now() + interval '1 day' + n * interval '1 ms'` } = options;
  // Token n has grant n / perGrant, and grant m has account m % accounts.
  const grantNumber = perGrant === 1 ? 'n' : `(n / ${perGrant})`;
  const grant = idOf('Grant', name, grantNumber);
  const ownedBy = (number: string): Changes =>
    accounts === undefined ? {} : { account_id: idOf('Account', name, `(${number} % ${accounts})`) };
  const payload = (changes: Changes) =>
    Object.entries(changes).reduce(
      (json, [member, value]) => `jsonb_set(${json}, '{${member}}', to_jsonb(${value}))`,
      'template.payload',
    );

  const { account_id: grantAccount } = ownedBy('n');
  const grants = insertCopies('authorization_grant', Math.ceil(count / perGrant), {
    id: idOf('Grant', name, 'n'),
    expires_at: expiresAt,
    ...options.grants,
    ...(grantAccount && { account_id: grantAccount, payload: payload({ accountId: grantAccount }) }),
  });

  const { account_id: account } = ownedBy(grantNumber);
  const tokens = models.map((model) =>
    insertCopies(tables[model], count, {
      id_hash: `bench.base64url_hash(${idOf(model, name, 'n')})`,
      grant_id: grant,
      expires_at: expiresAt,
      payload: payload({ grantId: grant, ...(account && { accountId: account }) }),
      ...(account && { account_id: account }),
      // The usual state after a rotation: the next use is the first use, and is marked.
      ...(model === 'RefreshToken' && {
        predecessor_hash: idOf('Predecessor', name, 'n'),
        sealed_value: `'unread'`,
      }),
    }),
  );
  const people = accounts === undefined ? '' : accountCopies(name, accounts);
  return `begin; ${people} ${options.sessions ?? ''} ${grants} ${tokens.join(' ')} commit;`;
};

export interface People {
  accounts: number;
  /** Sessions of each person, and authorizations. */
  perAccount: number;
}

/** Sessions; `sessionCookies` in setting.ts makes the cookies of a browser. */
const sessionsSql = (batch: string, { accounts, perAccount }: People): string => {
  const owner = idOf('Account', batch, `(n % ${accounts})`);
  return insertCopies('session', accounts * perAccount, {
    uid: idOf('SessionUid', batch, 'n'),
    id_hash: `bench.base64url_hash(${idOf('Session', batch, 'n')})`,
    account_id: owner,
    payload: `jsonb_set(template.payload, '{accountId}', to_jsonb(${owner}))`,
    created_at: `now() - (n / ${accounts}) * interval '1 hour'`,
    expires_at: `now() + interval '10 days'`,
  });
};

/**
 * People with sessions, and an authorization made in each session: every other one is a link, the rest are bound to
 * their session, and all are remembered.
 */
export const mintPeopleSql = (
  batch: string,
  people: People,
  { models = [] }: { models?: Batch['models'] } = {},
): string => {
  const { accounts, perAccount } = people;
  const grants = { session_uid: idOf('SessionUid', batch, 'n'), has_refresh_token: 'n % 2 = 0' };
  const consents = insertCopies('remembered_consent', accounts * perAccount, {
    account_id: idOf('Account', batch, `(n % ${accounts})`),
    client_id: `'client-' || n / ${accounts}`,
  });
  const sessions = sessionsSql(batch, people);
  const count = accounts * perAccount;
  return mintSql({ name: batch, count, models }, { accounts, sessions, grants }) + consents;
};

/**
 * Runs statements for a large volume: the references are right, so checking each is skipped, and indexes are built
 * afterwards at once. No request may be under way.
 */
export const inBulk = (statements: string): string =>
  `set session_replication_role = replica;
   select bench.drop_indexes();
   ${statements}
   set maintenance_work_mem = '256MB';
   select bench.restore_indexes();
   analyze;`;
