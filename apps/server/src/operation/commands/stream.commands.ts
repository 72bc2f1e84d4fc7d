import { AppError } from '../../ground/errors.ts';
import { StartError } from '../../ground/start-error.ts';
import type { DeliveredSignal } from '../../link/signal-delivery/delivered-signals.repository.ts';
import { createDeliveredSignals } from '../../link/signal-delivery/delivered-signals.ts';
import type { StreamService } from '../../link/stream/stream.service.ts';
import type { Stream } from '../../link/stream/stream.ts';
import { command, MisuseError } from './command.ts';
import { googleStreamCommands } from './google-stream.commands.ts';
import { factsOf, openStreams } from './operator-streams.ts';

/** Says which id is unknown, and why a change is refused. @throws StartError */
const onStream = <T>(id: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined;
    if (code === 'not_found') throw new StartError(`no stream has the id "${id}"; stream list shows them`);
    if (code === 'stream_not_webhook') throw new StartError(`stream "${id}" is no webhook: it has no secret`);
    throw error;
  });

const requireStream = async (streams: StreamService, id: string): Promise<Stream> => {
  const stream = await streams.find(id);
  if (!stream) throw new StartError(`no stream has the id "${id}"; stream list shows them`);
  return stream;
};

const deliveryOf = (signal: DeliveredSignal) => ({
  id: signal.jti,
  event: signal.event,
  createdAt: signal.created_at.toISOString(),
  ...(signal.settled_at && { settledAt: signal.settled_at.toISOString() }),
  attempts: signal.attempts,
  ...(signal.outcome !== null && { outcome: signal.outcome }),
  ...(signal.outcome_status !== null && { status: signal.outcome_status }),
  ...(signal.outcome_detail !== null && { detail: signal.outcome_detail }),
});

const lineOfDelivery = ({ id, event, createdAt, outcome = 'waits', status }: ReturnType<typeof deliveryOf>) =>
  [createdAt, event, outcome, status ?? '', id].join('\t').trimEnd();

const looking = [
  command({
    name: 'stream list',
    summary: 'the streams of signals to clients, and how much waits in each',
    example: 'stream list',
    run: async (context) => {
      const streams = await (await openStreams(context, { writes: false })).list();
      const value = streams.map(({ waiting, ...stream }) => ({ ...factsOf(stream), waiting }));
      const lines = value.map(({ id, clientId, brand, deliveryMethod, status, waiting, failingSince }) =>
        [
          ...[id, clientId, brand, deliveryMethod, status, `${waiting} wait`],
          ...(failingSince ? [`fails since ${failingSince}`] : []),
        ].join('\t'),
      );
      return { value, lines };
    },
  }),
  command({
    name: 'stream show',
    summary: 'a stream, and what became of its last 50 signals',
    args: ['ID'],
    example: 'stream show 5f0c9a1b-e2d4-4c1f-9a55-0c3b7e1d2f60',
    run: async (context) => {
      const [id] = context.args;
      const streams = await openStreams(context, { writes: false });
      const facts = factsOf(await requireStream(streams, id));
      const listed = await createDeliveredSignals(context.connection).list(id);
      const deliveries = listed.map(deliveryOf);
      const lines = Object.entries(facts).map(
        ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : value}`,
      );
      return { value: { ...facts, deliveries }, lines: [...lines, ...deliveries.map(lineOfDelivery)] };
    },
  }),
];

const reasonOption = {
  reason: { value: 'TEXT', does: 'why; its receiver is told' },
} as const;

const switching = (
  [
    ['pause', 'paused', 'hold the signals of a stream for 30 days, and tell its receiver'],
    ['resume', 'enabled', 'send what waits in a stream, and what comes'],
  ] as const
).map(([verb, status, summary]) =>
  command({
    name: `stream ${verb}`,
    summary,
    args: ['ID'],
    options: reasonOption,
    example: `stream ${verb} 5f0c9a1b-e2d4-4c1f-9a55-0c3b7e1d2f60 --reason "planned work"`,
    run: async (context) => {
      const [id] = context.args;
      const { reason } = context.options;
      const streams = await openStreams(context);
      const stream = await onStream(id, streams.setStatus(id, { status, reason, by: 'transmitter' }));
      return { value: factsOf(stream), lines: [`status: ${stream.status}`] };
    },
  }),
);

const readTime = (text: string): Date => {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(at.getTime()))
    throw new MisuseError(`--since must be a time such as 2026-11-25T08:00:00Z, not "${text}"`);
  return at;
};

const changing = [
  command({
    name: 'stream test',
    summary: 'send a verification event to the receiver of a stream; stream show says what became of it',
    args: ['ID'],
    example: 'stream test 5f0c9a1b-e2d4-4c1f-9a55-0c3b7e1d2f60',
    run: async (context) => {
      const [id] = context.args;
      const streams = await openStreams(context);
      await onStream(id, streams.verify(id, { by: 'transmitter' }));
      return { value: { id }, lines: ['a verification event waits to be sent'] };
    },
  }),
  command({
    name: 'stream replay',
    summary: 'send again what a stream had since a time, 30 days back at most, each with the id that it has',
    args: ['ID'],
    options: { since: { value: 'TIME', required: true, does: 'such as 2026-11-25T08:00:00Z' } },
    example: 'stream replay 5f0c9a1b-e2d4-4c1f-9a55-0c3b7e1d2f60 --since 2026-11-25T08:00:00Z',
    run: async (context) => {
      const [id] = context.args;
      const since = readTime(context.options.since);
      await requireStream(await openStreams(context), id);
      const count = await createDeliveredSignals(context.connection).replaySince(id, since);
      return { value: { id, count }, lines: [`to be sent again: ${count}`] };
    },
  }),
  command({
    name: 'stream secret',
    summary: 'make a new secret of a webhook, printed once; for 24 hours the one before signs too',
    args: ['ID'],
    example: 'stream secret 5f0c9a1b-e2d4-4c1f-9a55-0c3b7e1d2f60',
    run: async (context) => {
      const [id] = context.args;
      const secret = await onStream(id, (await openStreams(context)).turnOverSecret(id));
      return { value: { id, secret }, lines: [`secret: ${secret}`] };
    },
  }),
  command({
    name: 'stream delete',
    summary: 'delete a stream, with all that waits in it',
    args: ['ID'],
    options: { yes: { does: 'it is meant' } },
    example: 'stream delete 5f0c9a1b-e2d4-4c1f-9a55-0c3b7e1d2f60 --yes',
    run: async (context) => {
      const [id] = context.args;
      if (!context.options.yes) throw new MisuseError('stream delete needs --yes: what waits is lost');
      await onStream(id, (await openStreams(context)).remove(id));
      return { value: { id }, lines: [`deleted: ${id}`] };
    },
  }),
];

export const streamCommands = [...looking, ...googleStreamCommands, ...switching, ...changing];
