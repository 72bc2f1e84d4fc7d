const conjoin = new Intl.ListFormat('en', { type: 'conjunction' });

/** The parts of a URI in which two can differ, in words. */
const partsOf = (uri: URL): [string, string][] => [
  ['scheme', uri.protocol],
  ['user name', `${uri.username}:${uri.password}`],
  ['host', uri.hostname],
  ['port', uri.port],
  ['path', uri.pathname],
  ['query', uri.search],
  ['fragment', uri.hash],
];

const pathDifference = (sent: string, registered: string): string => {
  if (sent.toLowerCase() === registered.toLowerCase()) return 'path (capital letters)';
  return sent.replace(/\/$/, '') === registered.replace(/\/$/, '') ? 'path (the slash at its end)' : 'path';
};

/** In which parts a URI differs from a registered one; undefined where it is no URI. */
const differencesOf = (sent: string, registered: string): string[] | undefined => {
  const [one, other] = [URL.parse(sent), URL.parse(registered)];
  if (!one || !other) return undefined;
  const others = partsOf(other);
  const differing = partsOf(one).flatMap(([name, value], index) => {
    const [, right = ''] = others[index] ?? [];
    if (value === right) return [];
    return [name === 'path' ? pathDifference(value, right) : name];
  });
  return differing.length > 0 ? differing : ['spelling'];
};

const commonStart = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
};

/** Registered URIs, the most like `sent` first. */
export const nearestFirst = (sent: string, registered: readonly string[]): string[] => {
  const distanceOf = (uri: string) => differencesOf(sent, uri)?.length ?? Number.MAX_SAFE_INTEGER;
  return registered.toSorted(
    (one, other) => distanceOf(one) - distanceOf(other) || commonStart(sent, other) - commonStart(sent, one),
  );
};

/** In words, how a URI differs from the registered one that is most like it. */
export const describeMismatch = (name: string, sent: string, registered: readonly string[]): string => {
  const [nearest] = nearestFirst(sent, registered);
  if (nearest === undefined) return `${name} is sent, but none is registered for this client`;
  const differences = differencesOf(sent, nearest);
  if (!differences) return `${name} is no absolute URI`;
  const where = `the nearest one differs in ${conjoin.format(differences)}`;
  return `${name} is none of the registered ones, which are compared character by character: ${where}`;
};
