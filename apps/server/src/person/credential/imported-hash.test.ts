import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { hash as argon2Hash } from '@node-rs/argon2';
import { hashSync } from 'bcryptjs';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseImportedHash } from './imported-hash.ts';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';

const PASSWORD = 'sunny42day';
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const dotted = (bytes: Buffer) => base64(bytes).replaceAll('+', '.');
const salt = Buffer.from('salt of sixteen!');

const scryptHash = (ln: number, r = 8, p = 1) =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(
    scryptSync(PASSWORD, salt, 32, { cost: 2 ** ln, blockSize: r, parallelization: p, maxmem: 2 ** 28 }),
  )}`;
const pbkdf2Key = (digest: string, length: number) => pbkdf2Sync(PASSWORD, salt, 1_000, length, digest);
const ofType = (algorithm: number) => argon2Hash(PASSWORD, { algorithm, memoryCost: 1024, timeCost: 3 });
const bcrypt = hashSync(PASSWORD, 4);

describe('a hash of another system', () => {
  let hasher: PasswordHasher;
  // The hasher records the time that its refusals take.
  beforeEach(() => {
    hasher = createPasswordHasher({ concurrency: 2, maxQueue: 200 });
  });

  test.each<[string, string | Promise<string>]>([
    ['bcrypt 2b', bcrypt],
    ['bcrypt 2a', bcrypt.replace('$2b', '$2a')],
    ['bcrypt 2y', bcrypt.replace('$2b', '$2y')],
    ['argon2i', ofType(1)],
    ['argon2id of other parameters', ofType(2)],
    ['scrypt in PHC form', scryptHash(10)],
    ['scrypt with several lanes', scryptHash(8, 4, 3)],
    ['PBKDF2 in PHC form', `$pbkdf2-sha256$i=1000,l=32$${base64(salt)}$${base64(pbkdf2Key('sha256', 32))}`],
    ['PBKDF2 of SHA-512', `$pbkdf2-sha512$i=1000$${base64(salt)}$${base64(pbkdf2Key('sha512', 64))}`],
    ['PBKDF2 in modular form', `$pbkdf2-sha256$1000$${dotted(salt)}$${dotted(pbkdf2Key('sha256', 32))}`],
    ['PBKDF2 of SHA-1', `$pbkdf2$1000$${dotted(salt)}$${dotted(pbkdf2Key('sha1', 20))}`],
    ["Django's PBKDF2", `pbkdf2_sha256$1000$${salt}$${pbkdf2Key('sha256', 32).toString('base64')}`],
  ])('of %s is verified, and renewed afterwards', async (_, made) => {
    const hash = await made;
    expect(await hasher.verify(hash, PASSWORD)).toBe(true);
    for (const wrong of ['Sunny42day', `${PASSWORD}1`, '', 'sunny42da']) {
      expect(await hasher.verify(hash, wrong)).toBe(false);
    }
    expect(hasher.needsRehash(hash)).toBe(true);
  });

  test.each([
    // Published with crypt_blowfish.
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    // RFC 7914 section 12, in the notation of libxcrypt.
    ['pleaseletmein', '$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D'],
    // From the documentation of passlib.
    ['password', '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E'],
    [
      'toomanysecrets',
      '$pbkdf2-sha256$29000$N2YMIWQsBWBMae09x1jrPQ$1t8iyB2A.WF/Z5JZv.lfCIhXXN33N23OSgQYThBYRfk',
    ],
  ])('that others published for %s is verified', async (password, hash) => {
    expect(await hasher.verify(hash, password)).toBe(true);
    expect(await hasher.verify(hash, `${password}x`)).toBe(false);
  });

  test('treats composed and decomposed letters as equal', async () => {
    for (const stored of ['r\u00e9sum\u00e9', 're\u0301sume\u0301']) {
      const hash = hashSync(stored, 4);
      expect(await hasher.verify(hash, stored)).toBe(true);
    }
    expect(await hasher.verify(hashSync('r\u00e9sum\u00e9', 4), 're\u0301sume\u0301')).toBe(true);
  });

  test('of bcrypt rejects a password that bcrypt would truncate', async () => {
    const all = 'a'.repeat(72);
    const hash = hashSync(all, 4);
    expect(await hasher.verify(hash, all)).toBe(true);
    for (const wrong of [`${all}b`, `${all}${all}`, 'a'.repeat(71), 'é'.repeat(37)]) {
      expect(await hasher.verify(hash, wrong)).toBe(false);
    }
    // bcrypt repeats the key, with a zero byte between.
    expect(await hasher.verify(hashSync('ab', 4), 'ab\0ab')).toBe(false);
  });

  test.each([
    ['hash_unsupported', ''],
    ['hash_unsupported', 'sunny42day'],
    ['hash_unsupported', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['hash_unsupported', '$1$salt$qJH7.N4xYta3aEG/dfqo/0'],
    [
      'hash_unsupported',
      '$argon2d$v=19$m=1024,t=3,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ],
    ['hash_unsupported', '$2x$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['hash_unsupported', '$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['hash_unsupported', '$pbkdf2-md5$1000$c2FsdA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['hash_unsupported', '$pbkdf2-sha256$1000$c2FsdA$AAAA'],
    ['hash_unsupported', '$pbkdf2-sha256$0$c2FsdA$AAAAAAAAAAAAAAAAAAAAAA'],
    ['hash_unsupported', `$scrypt$ln=15,r=8,p=1$c2FsdA$${'A'.repeat(600)}`],
    ['hash_too_costly', '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    [
      'hash_too_costly',
      '$argon2id$v=19$m=1048576,t=3,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ],
    [
      'hash_too_costly',
      '$argon2i$v=19$m=65536,t=999,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ],
    ['hash_too_costly', '$scrypt$ln=20,r=8,p=1$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAA'],
    ['hash_too_costly', '$scrypt$ln=14,r=8,p=999$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAA'],
    ['hash_too_costly', '$7$zzzzzzzzzzzSalt$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D'],
    ['hash_too_costly', '$pbkdf2-sha256$99999999$c2FsdA$AAAAAAAAAAAAAAAAAAAAAA'],
  ])('%s: %j', async (refusal, hash) => {
    expect(parseImportedHash(hash)).toBe(refusal);
    expect(await hasher.verify(hash, PASSWORD)).toBe(false);
  });

  test('of bcrypt does not block the event loop', async () => {
    const hash = hashSync(PASSWORD, 10);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await Promise.all(Array.from({ length: 4 }, () => hasher.verify(hash, PASSWORD)));
    delay.disable();
    expect(delay.percentile(90) / 1e6).toBeLessThan(60);
  });

  test('is refused in the same time as a hash of our own and as a missing hash', async () => {
    const slow = createPasswordHasher({ concurrency: 1, maxQueue: 10 });
    const own = await slow.hash(PASSWORD);
    const hashes = [hashSync(PASSWORD, 10), own, undefined];
    await slow.verify(hashes[0], 'wrong42day');
    // Measured in turns: the load of the machine changes, and has to affect all three alike.
    const times = hashes.map((): number[] => []);
    for (let turn = 0; turn < 7; turn += 1) {
      for (const [index, hash] of hashes.entries()) {
        const started = performance.now();
        expect(await slow.verify(hash, 'wrong42day')).toBe(false);
        times[index]?.push(performance.now() - started);
      }
    }
    const medians = times.map((each) => each.toSorted((a, b) => a - b)[3] ?? 0);
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.3);
  });
});
