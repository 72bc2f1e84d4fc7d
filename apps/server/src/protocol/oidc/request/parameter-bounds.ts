import { errors } from 'oidc-provider';

const BYTES = 2 * 1024;
const TOTAL_BYTES = 8 * 1024;
/** `state` is the app's own, `id_token_hint` a token of this server, `request` a JWT that holds all other parameters. */
const longer: ReadonlyMap<string, number> = new Map([
  ['state', 4 * 1024],
  ['id_token_hint', 4 * 1024],
  ['request', TOTAL_BYTES],
]);

const sizeOf = (value: unknown): number =>
  [value].flat().reduce<number>((sum, text) => sum + Buffer.byteLength(String(text ?? '')), 0);

/** RFC 6749 appendix A has no NUL in any parameter, and the database stores none. */
const hasNul = (value: unknown): boolean => [value].flat().some((text) => String(text).includes('\0'));

type Parameters = Readonly<Record<string, unknown>>;

/** What is wrong with a parameter: it is too long, or has a NUL; undefined where all are within bounds. */
export const faultOfParameters = (parameters: Parameters): string | undefined => {
  let total = 0;
  for (const [name, value] of Object.entries(parameters)) {
    if (hasNul(value)) return `${name} has a NUL`;
    const size = sizeOf(value);
    const limit = longer.get(name) ?? BYTES;
    if (size > limit) return `${name} is longer than ${limit} bytes`;
    total += size;
  }
  return total > TOTAL_BYTES ? `the parameters are longer than ${TOTAL_BYTES} bytes` : undefined;
};

/**
 * Refuses parameters that are too long or have a NUL, before the server keeps them.
 * @throws InvalidRequest that names the parameter.
 */
export const requireBoundedParameters = (parameters: Parameters): void => {
  const fault = faultOfParameters(parameters);
  if (fault) throw new errors.InvalidRequest(fault);
};
