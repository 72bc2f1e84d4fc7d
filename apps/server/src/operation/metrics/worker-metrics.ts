import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricValues } from './metrics.ts';
import type { MetricsSource } from './metrics-server.ts';

/** The primary asks a worker; one of the workers reads what all processes share. */
interface Question {
  type: 'candela:metrics?';
  id: number;
  withShared: boolean;
}

interface Answer {
  type: 'candela:metrics';
  id: number;
  values: MetricValues;
}

const isQuestion = (message: unknown): message is Question =>
  (message as Partial<Question> | null)?.type === 'candela:metrics?';
const isAnswer = (message: unknown): message is Answer =>
  (message as Partial<Answer> | null)?.type === 'candela:metrics';

/** Prometheus waits ten seconds for a scrape by default. */
const ANSWER_MS = 3_000;

/** What only grows: the figures of a worker that has ended go on counting, or the sum would fall. */
const isCumulative = ({ type }: MetricValues[number]) => ['counter', 'histogram'].includes(String(type));

/** In a worker: answers the primary. */
export const contributeMetrics = ({ read }: Pick<Metrics, 'read'>): void => {
  process.on('message', async (message: unknown) => {
    if (!isQuestion(message)) return;
    const values = await read(message).catch(() => undefined);
    if (values && process.connected) process.send?.({ type: 'candela:metrics', id: message.id, values });
  });
};

const aggregate = (all: readonly MetricValues[]) => AggregatorRegistry.aggregate([...all]);

/** What workers have counted: of those that live by worker, of the others in one. */
const createLedger = () => {
  const living = new Map<number, MetricValues>();
  let ended: MetricValues = [];
  return {
    note: ({ id }: Worker, values: MetricValues) => void living.set(id, values.filter(isCumulative)),
    /** What a worker counted that does not answer now. */
    countedBy: ({ id }: Worker): MetricValues => living.get(id) ?? [],
    ended: () => ended,
    close: async ({ id }: Worker) => {
      const last = living.get(id);
      living.delete(id);
      if (last) ended = await aggregate([ended, last]).getMetricsAsJSON();
    },
  };
};

/**
 * In the primary: the metrics of all workers together. prom-client's own way forgets what a worker has counted when it
 * ends, and then the sums fall, which Prometheus takes for a restart that counted everything anew.
 */
export const metricsOfWorkers = (): MetricsSource => {
  const ledger = createLedger();
  const waiting = new Map<string, (values: MetricValues) => void>();
  const keyOf = (worker: Worker, id: number) => `${worker.id} ${id}`;
  let questions = 0;

  cluster.on('message', (worker, message: unknown) => {
    if (!isAnswer(message)) return;
    ledger.note(worker, message.values);
    waiting.get(keyOf(worker, message.id))?.(message.values);
  });
  cluster.on('exit', (worker) => void ledger.close(worker));

  const ask = async (worker: Worker, question: Question): Promise<MetricValues> => {
    const key = keyOf(worker, question.id);
    const answered = new Promise<MetricValues>((resolve) => {
      waiting.set(key, resolve);
    });
    const late = new AbortController();
    worker.send(question);
    const given = wait(ANSWER_MS, undefined, { signal: late.signal }).catch(() => undefined);
    const values = await Promise.race([answered, given]);
    late.abort();
    waiting.delete(key);
    return values ?? ledger.countedBy(worker);
  };

  return {
    contentType: new AggregatorRegistry().contentType,
    metrics: async () => {
      questions += 1;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
      const values = await Promise.all(
        workers.flatMap((worker, index) =>
          worker ? [ask(worker, { type: 'candela:metrics?', id: questions, withShared: index === 0 })] : [],
        ),
      );
      return aggregate([ledger.ended(), ...values]).metrics();
    },
  };
};
