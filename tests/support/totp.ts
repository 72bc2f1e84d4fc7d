import { createHmac } from 'node:crypto';
import type { UserAgent } from './user-agent.ts';

const PERIOD_SECONDS = 30;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 section 6. */
const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** The code that an authenticator app shows at a time (RFC 6238), by our own hands. */
export const totpCode = (secret: string, at: Date, steps = 0): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 1000 / PERIOD_SECONDS) + steps));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};

/** An authenticator app and recovery codes, as a person has them. */
export interface OwnFactor {
  secret: string;
  recoveryCodes: string[];
}

/** Switches the second factor on, by the code of the step before: that of the present one stays good. */
export const turnOnTotp = async (agent: UserAgent, at?: Date): Promise<OwnFactor> => {
  const started = await agent.post('/api/totp');
  if (started.status !== 200) throw new Error(`${started.status} ${started.body}`);
  const { secret } = started.json();
  const activate = () => {
    const code = totpCode(secret, at ?? new Date(), -1);
    return agent.request('PUT', '/api/totp', { json: { code } });
  };
  const first = await activate();
  // A step may end between the code and its comparison.
  const answer = first.status === 401 ? await activate() : first;
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return { secret, recoveryCodes: answer.json().recoveryCodes };
};
