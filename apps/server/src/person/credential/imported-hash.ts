/** A password hash of another system, read and found affordable. */
export type ImportedHash =
  | { scheme: 'argon2' }
  | { scheme: 'bcrypt' }
  | { scheme: 'scrypt'; cost: number; blockSize: number; parallelism: number; salt: Buffer; key: Buffer }
  | { scheme: 'pbkdf2'; digest: 'sha1' | 'sha256' | 'sha512'; iterations: number; salt: Buffer; key: Buffer };

/** Why a hash cannot be taken over. */
export type HashRefusal = 'hash_unsupported' | 'hash_too_costly';

/** A dearer hash would keep a core or the memory busy at each sign-in. All limits are well above what is advised. */
const limits = {
  argon2Kibibytes: 131_072,
  argon2KibibytePasses: 1_048_576,
  bcryptCost: 14,
  scryptBytes: 134_217_728,
  scryptWork: 2_097_152,
  pbkdf2Iterations: 2_000_000,
};

const HASH_LENGTH_MAX = 512;
const SALT_BYTES_MAX = 128;
/** A shorter key would let a wrong password in by chance. */
const KEY_BYTES_MIN = 16;
const KEY_BYTES_MAX = 64;

/** Base64 of either alphabet, `.` for `+` as passlib writes it, padded or not. */
const decodeBase64 = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64');

const MODULAR_ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The base64 of modular crypt formats: little-endian, least significant digit first. */
const decodeModularNumber = (text: string): number =>
  [...text].reduceRight((value, character) => value * 64 + MODULAR_ALPHABET.indexOf(character), 0);

const decodeModularBytes = (text: string): Buffer => {
  const bytes: number[] = [];
  for (let start = 0; start < text.length; start += 4) {
    const group = text.slice(start, start + 4);
    const value = decodeModularNumber(group);
    for (let index = 0; index < group.length - 1; index += 1) bytes.push((value >> (8 * index)) & 0xff);
  }
  return Buffer.from(bytes);
};

const isKey = (key: Buffer) => key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX;

const toScrypt = (
  [log2Cost, blockSize, parallelism]: [number, number, number],
  salt: Buffer,
  key: Buffer,
): ImportedHash | HashRefusal => {
  if (log2Cost < 1 || blockSize < 1 || parallelism < 1 || salt.length > SALT_BYTES_MAX || !isKey(key))
    return 'hash_unsupported';
  const cost = 2 ** log2Cost;
  const isDear =
    128 * cost * blockSize > limits.scryptBytes || cost * blockSize * parallelism > limits.scryptWork;
  return isDear ? 'hash_too_costly' : { scheme: 'scrypt', cost, blockSize, parallelism, salt, key };
};

const toPbkdf2 = (
  digest: string | undefined,
  iterations: number,
  salt: Buffer,
  key: Buffer,
): ImportedHash | HashRefusal => {
  const name = digest ?? 'sha1';
  if (name !== 'sha1' && name !== 'sha256' && name !== 'sha512') return 'hash_unsupported';
  if (iterations < 1 || salt.length > SALT_BYTES_MAX || !isKey(key)) return 'hash_unsupported';
  if (iterations > limits.pbkdf2Iterations) return 'hash_too_costly';
  return { scheme: 'pbkdf2', digest: name, iterations, salt, key };
};

type Reader = (groups: string[]) => ImportedHash | HashRefusal;

/** The PHC string format, and the modular crypt formats in use. */
const formats: [RegExp, Reader][] = [
  [
    /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/,
    ([cost]) => {
      if (Number(cost) < 4) return 'hash_unsupported';
      return Number(cost) > limits.bcryptCost ? 'hash_too_costly' : { scheme: 'bcrypt' };
    },
  ],
  [
    /^\$argon2id?\$(?:v=(?:16|19)\$)?m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/,
    ([memory, passes, lanes, salt = '', key = '']) => {
      const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
      const saltBytes = decodeBase64(salt).length;
      if (t < 1 || p < 1 || m < 8 * p || saltBytes < 8 || saltBytes > 48 || !isKey(decodeBase64(key)))
        return 'hash_unsupported';
      const isDear = m > limits.argon2Kibibytes || m * t > limits.argon2KibibytePasses || p > 16;
      return isDear ? 'hash_too_costly' : { scheme: 'argon2' };
    },
  ],
  [
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,6}),p=(\d{1,6})\$([A-Za-z0-9+/.]+)={0,2}\$([A-Za-z0-9+/.]+)={0,2}$/,
    ([ln, r, p, salt = '', key = '']) =>
      toScrypt([Number(ln), Number(r), Number(p)], decodeBase64(salt), decodeBase64(key)),
  ],
  [
    // The salt is the text itself.
    /^\$7\$([./A-Za-z0-9])([./A-Za-z0-9]{5})([./A-Za-z0-9]{5})([^$]+)\$([./A-Za-z0-9]{43})$/,
    ([ln = '', r = '', p = '', salt = '', key = '']) =>
      toScrypt(
        [decodeModularNumber(ln), decodeModularNumber(r), decodeModularNumber(p)],
        Buffer.from(salt),
        decodeModularBytes(key),
      ),
  ],
  [
    /^\$pbkdf2(?:-(sha\d+))?\$i=(\d{1,9})(?:,l=\d{1,3})?\$([A-Za-z0-9+/.]+)={0,2}\$([A-Za-z0-9+/.]+)={0,2}$/,
    ([digest, iterations, salt = '', key = '']) =>
      toPbkdf2(digest, Number(iterations), decodeBase64(salt), decodeBase64(key)),
  ],
  [
    /^\$pbkdf2(?:-(sha\d+))?\$(\d{1,9})\$([A-Za-z0-9+/.]+)={0,2}\$([A-Za-z0-9+/.]+)={0,2}$/,
    ([digest, iterations, salt = '', key = '']) =>
      toPbkdf2(digest, Number(iterations), decodeBase64(salt), decodeBase64(key)),
  ],
  [
    // Django's, whose salt is the text itself.
    /^pbkdf2_(sha\d+)\$(\d{1,9})\$([^$]+)\$([A-Za-z0-9+/]+)={0,2}$/,
    ([digest, iterations, salt = '', key = '']) =>
      toPbkdf2(digest, Number(iterations), Buffer.from(salt), decodeBase64(key)),
  ],
];

/** Reads a hash of bcrypt, argon2i, argon2id, scrypt or PBKDF2. */
export const parseImportedHash = (text: string): ImportedHash | HashRefusal => {
  if (text.length > HASH_LENGTH_MAX) return 'hash_unsupported';
  for (const [format, read] of formats) {
    const match = format.exec(text);
    if (match) return read(match.slice(1));
  }
  return 'hash_unsupported';
};
