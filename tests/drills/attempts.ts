/** Counts successes and failures by the name of the attempt. */
export const createAttempts = () => {
  const tried = new Map<string, { done: number; failures: string[] }>();
  const of = (name: string) => {
    const entry = tried.get(name) ?? { done: 0, failures: [] };
    tried.set(name, entry);
    return entry;
  };
  return {
    /** Runs `work` as an attempt of `name`; undefined if it fails. */
    run: async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        const result = await work();
        of(name).done += 1;
        return result;
      } catch (error) {
        of(name).failures.push(String(error));
        return undefined;
      }
    },
    failed: () => [...tried.values()].reduce((sum, { failures }) => sum + failures.length, 0),
    firstFailure: () =>
      [...tried].flatMap(([name, { failures }]) => failures.map((why) => `${name}: ${why}`))[0],
    figures: () =>
      [...tried].map(([name, { done, failures }]) => `${done} ${name}, ${failures.length} failed`).join('; '),
  };
};
