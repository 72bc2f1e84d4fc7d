import type { Logger } from '../logger.ts';
import type { ClientLogoService } from './client-logo.service.ts';

/** Fetches the logos of clients now and every `everySeconds`, in the background; processes share the work. */
export const startFetchingLogos = (
  logos: ClientLogoService,
  { everySeconds, logger }: { everySeconds: number; logger: Logger },
): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const fetchAll = async () => {
    while (!stopping.signal.aborted && (await logos.fetchDue(stopping.signal)) > 0);
  };
  const run = () => fetchAll().catch((err: unknown) => logger.warn({ err }, 'fetching logos failed'));

  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, everySeconds * 1000);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
};
