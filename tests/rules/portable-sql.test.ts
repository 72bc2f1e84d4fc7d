import { expect, test } from 'vitest';
import { codeOf, isTest, readSources } from './sources.ts';

interface Feature {
  /** What distributed engines lack, or have in part. */
  name: string;
  pattern: RegExp;
  /** Files that may use it, with the reason. docs/operating/database.md tells of each. */
  allowed: Readonly<Record<string, string>>;
}

const BEHIND = 'not used where DATABASE_ENGINE is compatible';
const LEFT_OUT = 'left out of the migrations where DATABASE_ENGINE is compatible';
const RARE_KEY = 'the key of a history, to which nothing refers, and whose order decides nothing';
const ORDER = 'the order in which a receiver is told of one account, whose events one lock puts in a row';
const QUEUE = 'processes that share a queue take different rows; engines of today have it';

const features: Feature[] = [
  {
    name: 'advisory locks',
    pattern: /pg_(try_)?advisory_/,
    allowed: {
      'apps/server/src/ground/db/name-lock.ts': BEHIND,
      'apps/server/src/ground/db/same-database.ts': BEHIND,
    },
  },
  {
    name: 'LISTEN and NOTIFY',
    pattern: /pg_notify|[`'"](un)?listen |[`'"]notify /i,
    allowed: {
      'apps/server/src/ground/db/listen.ts': BEHIND,
      'apps/server/src/ground/db/connect.ts': BEHIND,
      'migrations/0009-change-notices.ts': LEFT_OUT,
    },
  },
  {
    name: 'triggers, functions and procedures',
    pattern: /create (or replace )?(function|procedure|trigger|rule|aggregate)\b|language plpgsql|do \$\$/i,
    allowed: {
      'migrations/0009-change-notices.ts': LEFT_OUT,
      'migrations/0010-backchannel-logout.ts': LEFT_OUT,
      'migrations/0013-resource-servers.ts': LEFT_OUT,
      'migrations/0022-client-registry.ts': LEFT_OUT,
      'migrations/0041-signals.ts': LEFT_OUT,
      'migrations/0050-desk.ts': LEFT_OUT,
      'migrations/0055-brand-words.ts': LEFT_OUT,
    },
  },
  {
    name: 'system columns',
    pattern: /\b(ctid|xmin|xmax|cmin|cmax|tableoid)\b/,
    allowed: { 'apps/server/src/ground/db/delete-expired.ts': BEHIND },
  },
  {
    name: 'numbers and positions of the log and of transactions',
    pattern: /\bpg_(current_xact|xact_status|current_wal|walfile|snapshot|is_in_recovery)|txid_|xid8/,
    allowed: {
      'apps/server/src/ground/db/transact.ts': BEHIND,
      'apps/server/src/ground/db/database-hosts.ts':
        'asked only where DATABASE_URL has target_session_attrs=primary',
    },
  },
  {
    name: 'sequences',
    pattern:
      /generatedAlwaysAsIdentity|generatedByDefaultAsIdentity|['" ](big|small)?serial\b|nextval|create sequence/i,
    allowed: {
      'migrations/0001-accounts.ts': RARE_KEY,
      'migrations/0022-client-registry.ts': RARE_KEY,
      'migrations/0041-signals.ts': ORDER,
    },
  },
  {
    name: 'SKIP LOCKED',
    pattern: /skip locked|skipLocked|nowait/i,
    allowed: {
      'apps/server/src/ground/db/delete-expired.ts': BEHIND,
      'apps/server/src/person/delivery/message.repository.ts': QUEUE,
      'apps/server/src/link/backchannel-logout/backchannel-logout.repository.ts': QUEUE,
      'apps/server/src/link/signal-delivery/signal.repository.ts': QUEUE,
      'apps/server/src/link/stream/stream-batch.repository.ts': QUEUE,
      'apps/server/src/registration/client-document/client-document.repository.ts': QUEUE,
    },
  },
  {
    name: 'an isolation of its own',
    pattern: /setIsolationLevel|isolation level|default_transaction_isolation/i,
    allowed: {
      'apps/server/src/operation/backup/write-backup.ts': 'refused where DATABASE_ENGINE is compatible',
      'apps/server/src/ground/db/migrate.ts': 'refuses one',
    },
  },
  {
    name: 'deferred constraints, exclusions, large objects, temporary and unlogged tables, extensions, types',
    pattern:
      /deferrable|initially deferred|exclude using|\blo_\w+\(|\btemp(orary)? table|unlogged|create extension|create (type|domain|materialized view)|inherits \(|partition by range|lock table|declare \w+ cursor|savepoint|\.temporary\(\)/i,
    allowed: {},
  },
];

const sources = readSources()
  .filter(({ path }) => /^(apps\/server\/src|migrations)\//.test(path) && !isTest(path))
  .map(({ path, text }) => ({ path, code: codeOf({ path, text }) }));

test.each(features)('no statement uses $name beyond the places that are named', ({ pattern, allowed }) => {
  const users = sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
  expect(users.toSorted()).toEqual(Object.keys(allowed).toSorted());
});
