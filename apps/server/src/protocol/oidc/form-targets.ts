/** Sources for form-action: origins of web apps, schemes of native ones, any port of theirs on this machine. */
const toFormTarget = (uri: string, native: boolean): string | undefined => {
  const url = URL.parse(uri);
  if (!url) return undefined;
  if (native && url.protocol === 'http:') return `http://${url.hostname}:*`;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol;
};

const uriLists = ['redirect_uris', 'post_logout_redirect_uris'] as const;

/** Where the forms of an authorization or logout flow of this client may lead. */
export const formTargetsOf = (metadata: Record<string, unknown> | undefined): string[] => {
  const native = metadata?.application_type === 'native';
  const uris = uriLists.flatMap((name) =>
    Array.isArray(metadata?.[name]) ? (metadata[name] as unknown[]) : [],
  );
  return [
    ...new Set(uris.map((uri) => toFormTarget(String(uri), native)).filter((target) => target !== undefined)),
  ];
};
