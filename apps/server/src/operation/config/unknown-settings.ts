/** The number of letters to insert, delete, replace or exchange with their neighbour (optimal string alignment). */
const distanceOf = (a: string, b: string): number => {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, index) => [index]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let j = 1; j <= b.length; j += 1) (rows[0] as number[])[j] = j;
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      (rows[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        isExchange ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return at(a.length, b.length);
};

/** A letter in eight may be wrong: `HOME` is no mistake for `HOST`, nor `PATH` for `PORT`. */
const LETTERS_FOR_EACH_SLIP = 8;
const slipsOf = (name: string) => Math.max(1, Math.floor(name.length / LETTERS_FOR_EACH_SLIP));

/** Whether one is the other with words missing at its end: `CODE_TTL` of `CODE_TTL_SECONDS`. */
const isCutShort = (name: string, known: string): boolean =>
  [name, known].every((each) => each.includes('_')) &&
  (known.startsWith(`${name}_`) || name.startsWith(`${known}_`));

/**
 * Variables that are no settings, and look like one: each with the nearest setting.
 * @param known all settings; `NAME_FILE` is known with `NAME`.
 */
export const findMisspelt = (
  names: readonly string[],
  known: readonly string[],
): { name: string; nearest: string }[] =>
  names
    .filter((name) => !known.includes(name) && !known.includes(name.replace(/_FILE$/, '')))
    .flatMap((name) => {
      const [upper = '', suffix = ''] = name.toUpperCase().split(/(_FILE)$/);
      const [best] = known
        .map((nearest) => ({
          nearest,
          distance: isCutShort(upper, nearest) ? 1 : distanceOf(upper, nearest),
        }))
        .filter(({ nearest, distance }) => distance <= slipsOf(nearest))
        .toSorted((a, b) => a.distance - b.distance);
      return best ? [{ name, nearest: `${best.nearest}${suffix}` }] : [];
    });
