import { query } from './postgres.ts';
import type { Batch, TokenModel } from './setting.ts';

const tables: Record<TokenModel, string> = {
  AuthorizationCode: 'authorization_code',
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
};

/**
 * Keeps the rows that one real flow left as the templates of all that is made in bulk: whatever columns the
 * server's tables have, a copy has them too. The hash is that of `valueOf` and of the server's own `hashId`.
 */
export const keepTemplates = (databaseUrl: string) =>
  query(
    databaseUrl,
    `create schema bench;
     create function bench.base64url_hash(value text) returns text immutable parallel safe language sql as
       $$ select rtrim(translate(encode(sha256(convert_to(value, 'UTF8')), 'base64'), '+/', '-_'), '=') $$;
     create table bench.authorization_grant as select * from authorization_grant limit 1;
     create table bench.session as select * from session where account_id is not null limit 1;
     create table bench.interaction as select * from interaction limit 1;
     ${Object.values(tables)
       .map((table) => `create table bench.${table} as select * from ${table} limit 1;`)
       .join('\n')}
     update bench.authorization_code set consumed_at = null;`,
  );

/** A SQL expression for JSON that replaces columns of the template, for row `n` of a series. */
type Changes = Record<string, string>;

/** Inserts `count` copies of the template, each with what `changes` says. */
export const insertCopies = (table: string, count: number, changes: Changes, from = 0): string => {
  const pairs = Object.entries(changes).map(([column, expression]) => `'${column}', ${expression}`);
  return `insert into ${table} select copy.*
    from bench.${table} as template, generate_series(${from}, ${from + count - 1}) as n,
    lateral jsonb_populate_record(null::${table}, to_jsonb(template) || jsonb_build_object(${pairs.join(', ')})) as copy;`;
};

const idOf = (model: string, batch: string, index: string) =>
  `bench.base64url_hash('${model}/${batch}/' || ${index})`;

const tokenChanges = (model: TokenModel, batch: string, grant: string): Changes => ({
  id_hash: `bench.base64url_hash(${idOf(model, batch, 'n')})`,
  grant_id: grant,
  payload: `jsonb_set(template.payload, '{grantId}', to_jsonb(${grant}))`,
  expires_at: `now() + interval '1 day'`,
  // As after a rotation, the usual state: the next use is the first, and marks it.
  ...(model === 'RefreshToken' && {
    predecessor_hash: idOf('Predecessor', batch, 'n'),
    sealed_value: `'unread'`,
  }),
});

/** The SQL that makes a batch of tokens; `perGrant` tokens of a model share a grant. */
export const mintSql = ({ name, count, models }: Batch, perGrant = 1): string => {
  const grants = insertCopies('authorization_grant', Math.ceil(count / perGrant), {
    id: idOf('Grant', name, 'n'),
    expires_at: `now() + interval '1 day'`,
  });
  const grant = idOf('Grant', name, perGrant === 1 ? 'n' : `n / ${perGrant}`);
  const tokens = models.map((model) => insertCopies(tables[model], count, tokenChanges(model, name, grant)));
  return `begin; ${grants} ${tokens.join(' ')} commit;`;
};
