export interface JwtParts {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

const readPart = (part: string): Record<string, unknown> => {
  const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
};

/** The header and the claims of a JWT, unverified: to be looked at. Undefined where the text is none. */
export const readJwt = (text: string): JwtParts | undefined => {
  const parts = text.split('.');
  if (parts.length !== 3) return undefined;
  try {
    return { header: readPart(parts[0] ?? ''), claims: readPart(parts[1] ?? '') };
  } catch {
    return undefined;
  }
};
