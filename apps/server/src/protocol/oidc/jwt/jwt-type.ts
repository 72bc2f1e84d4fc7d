/** A JWT's header. */
export type JwtHeader = Readonly<Record<string, unknown>>;

/** RFC 9101 section 10.8.1. */
export const REQUEST_OBJECT_TYPE = 'oauth-authz-req+jwt';

/** The media type of a JWT, which its header may shorten (RFC 7515 section 4.1.9); empty where it names none. */
export const typeOfJwt = ({ typ }: JwtHeader): string =>
  typ === undefined
    ? ''
    : String(typ)
        .toLowerCase()
        .replace(/^application\//, '');
