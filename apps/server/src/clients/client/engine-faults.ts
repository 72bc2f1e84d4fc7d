/** Answers why the engine would refuse a client of these metadata; undefined where it would not. */
export type FindEngineFault = (
  metadata: Record<string, unknown> & { client_id: string },
) => string | undefined;

/** What the engine takes in place of values that are wrong; a field that is not listed is left out. */
const standIns: Readonly<Record<string, unknown>> = {
  client_id: 'stands-in',
  redirect_uris: ['https://app.invalid/'],
  client_secret: 'stands in for a secret of thirty-two characters',
  jwks_uri: 'https://app.invalid/jwks',
};

/** The stand-ins of a field: one of `jwks` is its address. */
const standInsFor = (field: string): Record<string, unknown> =>
  field === 'jwks' ? { jwks: undefined, jwks_uri: standIns.jwks_uri } : { [field]: standIns[field] };

/**
 * All that the engine would refuse in the metadata of a client. It names one fault at a time, by the name of a field
 * first: that field is mended, and the engine asked again.
 * @param judged fields that something else is known to be wrong with
 */
export const findEngineFaults = (
  metadata: Record<string, unknown> & { client_id: string },
  judged: ReadonlySet<string>,
  findFault: FindEngineFault,
): string[] => {
  const mended = new Set(judged);
  const faults: string[] = [];
  const trial = { ...metadata };
  for (const field of mended) Object.assign(trial, standInsFor(field));
  for (;;) {
    const fault = findFault(trial);
    if (fault === undefined) return faults;
    const [field = ''] = /^\w+/.exec(fault) ?? [];
    // Of a field that is mended the engine tells what the mending did.
    if (mended.has(field)) return faults;
    faults.push(fault);
    mended.add(field);
    Object.assign(trial, standInsFor(field));
  }
};
