import { createFailoverDrill } from './failover.ts';

export const drill = createFailoverDrill({
  name: 'failover',
  breaks:
    'the primary of two PostgreSQL servers under Patroni is killed with kill -9 under load, twice, and comes back as a standby; haproxy leads to the primary',
  passes:
    'no acknowledged write is lost, nothing is spent twice, 99 % of the flows finish, all works within 30 s',
  route: 'balancer',
  synchronous: true,
});
