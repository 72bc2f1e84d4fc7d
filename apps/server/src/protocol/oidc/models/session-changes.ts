type Payload = Readonly<Record<string, unknown>>;

/**
 * What a request changes of an object, as a merge patch (RFC 7396): by name, the new value, or null where the request
 * removes it.
 */
const patchOf = (before: Payload, after: Payload): Record<string, unknown> => {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  const removed = Object.keys(before).filter((name) => after[name] === undefined);
  return Object.fromEntries([...changed, ...removed.map((name) => [name, null])]);
};

/**
 * What a request changes of a session's payload: of the apps that it is signed in to, of its form, and of all else.
 * @param isRenewed whether the request gives the session another id.
 */
export const changesOf = (before: Payload, after: Payload, isRenewed: boolean) => {
  const { authorizations: appsBefore, ...restBefore } = before;
  const { authorizations: appsAfter, ...restAfter } = after;
  const { state, ...members } = patchOf(restBefore, restAfter);
  // The form is sealed with the id: `sealForm`.
  const form = isRenewed ? (restAfter.state ?? state) : state;
  return {
    authorizations: patchOf(Object(appsBefore), Object(appsAfter)),
    form: form === undefined ? {} : { state: form },
    members,
  };
};
