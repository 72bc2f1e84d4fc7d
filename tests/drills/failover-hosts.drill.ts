import { createFailoverDrill } from './failover.ts';

export const drill = createFailoverDrill({
  name: 'failover-hosts',
  breaks: 'the same, with both servers in DATABASE_URL and no haproxy',
  passes:
    'no acknowledged write is lost, nothing is spent twice, 99 % of the flows finish, all works within 30 s',
  route: 'hosts',
  synchronous: true,
});
