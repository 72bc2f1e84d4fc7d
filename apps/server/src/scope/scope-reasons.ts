/** Why a client asks for each scope, in its own words, by the `scope_reasons` of its metadata. */
export const scopeReasonsOf = (metadata: Record<string, unknown>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(metadata.scope_reasons ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
