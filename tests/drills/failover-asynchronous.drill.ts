import { createFailoverDrill } from './failover.ts';

export const drill = createFailoverDrill({
  name: 'failover-asynchronous',
  breaks: 'the same as failover, with synchronous_mode off and a standby that is a second behind',
  passes: 'it is counted what is lost; nothing is spent twice, all works within 30 s',
  route: 'balancer',
  synchronous: false,
});
