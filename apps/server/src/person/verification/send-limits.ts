import type { CodePurpose } from '@candela/contract';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import type { RateLimit } from '../../ground/rate-limit/rate-limit.service.ts';

/**
 * Codes an hour for one block of numbers (dial code and first digits, seven in all). Pumping of SMS goes to blocks whose
 * owners share the profit. 0: no budget.
 */
export const CODES_PER_PREFIX_PER_HOUR = 2_000;
/** All codes of a minute, so that a flood ends before the money does. */
export const CODES_PER_MINUTE = { sms: 1_000, all: 30_000 };
/** All codes of a day. */
export const CODES_PER_DAY = { sms: 50_000, all: 5_000_000 };

export interface CodeLimits {
  ttlSeconds: number;
  /** Between two codes for one identifier and purpose, from whatever browser. */
  resendSeconds: number;
  maxTries: number;
  /** For each identifier over all purposes. */
  perHour: number;
  perDay: number;
  perAddressPerHour: number;
  /** For each block of phone numbers; default `CODES_PER_PREFIX_PER_HOUR`. */
  perPrefixPerHour?: number;
  /** Over all identifiers; default `CODES_PER_MINUTE`, of which SMS may be a part. 0: no budget. */
  globalPerMinute?: number | undefined;
  /** Over all identifiers; default `CODES_PER_DAY`. */
  globalPerDay?: number | undefined;
  /** Beginnings of the phone numbers that are served, such as +86; all of them where the list is empty. */
  phonePrefixes?: readonly string[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A plus sign and seven digits. */
const BLOCK_LENGTH = 8;

/** Whether codes are sent to the identifier at all. */
export const isServed = ({ kind, value }: Identifier, { phonePrefixes = [] }: CodeLimits): boolean =>
  kind !== 'phone' || phonePrefixes.length === 0 || phonePrefixes.some((prefix) => value.startsWith(prefix));

/** Who asks for a code: each has budgets of its own, so that no one else can use them up. */
export type CodeSender =
  | { kind: 'stranger' }
  /** A browser that signed in as the account of the identifier before. */
  | { kind: 'known'; accountId: string; browserHash: string }
  /** Someone signed in, who binds an identifier or steps up. `isHolder`: the identifier is one of their account. */
  | { kind: 'session'; accountId: string; sessionUid: string; isHolder: boolean };

interface CodeRequest {
  purpose: CodePurpose;
  /** The caller's IP address. */
  address: string;
  identifier: Identifier;
  sender: CodeSender;
}

/** An account, and a number that accounts want to bind, may have as many codes a day as this many sessions. */
const SESSIONS = 2;

/** Whose budgets a request counts under: the suffix of their names, and the owner in their keys. */
const countedOf = (
  sender: CodeSender,
  identifier: Identifier,
  keyOf: KeyOf,
): [suffix: string, who: string] => {
  switch (sender.kind) {
    case 'stranger':
      return ['', keyOf(identifier.value)];
    case 'known':
      return ['.known', `${sender.accountId} ${sender.browserHash}`];
    case 'session':
      return ['.session', `${sender.accountId} ${sender.sessionUid}`];
  }
};

/** The sessions of one account add up: for the account, and for a number that it wants to bind. */
const sessionLimits = (
  { purpose, identifier, sender }: CodeRequest,
  { perDay }: CodeLimits,
  keyOf: KeyOf,
): RateLimit[] => {
  if (sender.kind !== 'session') return [];
  const limit = { limit: perDay * SESSIONS, windowSeconds: DAY };
  const account = { ...limit, key: `code.day.account ${sender.accountId}` };
  const bound = { ...limit, key: `code.day.bind ${keyOf(identifier.value)}` };
  return purpose === 'bind' ? [account, bound] : [account];
};

/**
 * The limits of the sender and the identifier of a code. They are in one order for every caller, since counting locks
 * their rows.
 */
export const senderLimits = (request: CodeRequest, limits: CodeLimits, keyOf: KeyOf): RateLimit[] => {
  const { purpose, address, identifier, sender } = request;
  const [suffix, who] = countedOf(sender, identifier, keyOf);
  const cooldown = {
    key: `code.cooldown${suffix} ${purpose} ${keyOf(`${who} ${identifier.value}`)}`,
    limit: 1,
    windowSeconds: limits.resendSeconds,
  };
  return [
    ...(limits.resendSeconds > 0 ? [cooldown] : []),
    { key: `code.hour${suffix} ${who}`, limit: limits.perHour, windowSeconds: HOUR },
    { key: `code.day${suffix} ${who}`, limit: limits.perDay, windowSeconds: DAY },
    ...sessionLimits(request, limits, keyOf),
    ...addressLimits(`code.address${suffix}`, address, {
      limit: limits.perAddressPerHour,
      windowSeconds: HOUR,
    }),
  ];
};

const bySmsAndAll = (name: string, asked: number | undefined, usual: { sms: number; all: number }) => ({
  sms: { key: `${name}.sms`, limit: asked ?? usual.sms },
  all: { key: `${name}.all`, limit: asked ?? usual.all },
});

/** The budgets that everyone shares. */
export const sharedBudgets = (
  { kind, value }: Identifier,
  { perPrefixPerHour = CODES_PER_PREFIX_PER_HOUR, globalPerMinute, globalPerDay }: CodeLimits,
  keyOf: KeyOf,
): RateLimit[] => {
  const minute = bySmsAndAll('code.minute', globalPerMinute, CODES_PER_MINUTE);
  const day = bySmsAndAll('code.day', globalPerDay, CODES_PER_DAY);
  // A short number is its own block.
  const block = `code.prefix ${keyOf(value.slice(0, BLOCK_LENGTH))}`;
  const sms = [
    { key: block, limit: perPrefixPerHour, windowSeconds: HOUR },
    { ...minute.sms, windowSeconds: MINUTE },
    { ...day.sms, windowSeconds: DAY },
  ];
  const all = [
    { ...minute.all, windowSeconds: MINUTE },
    { ...day.all, windowSeconds: DAY },
  ];
  return [...(kind === 'phone' ? sms : []), ...all].filter(({ limit }) => limit > 0);
};

/**
 * How many tenths of a shared budget are kept beside it for those who hold an identifier, and for sessions that bind one.
 * These are no holders: an account with an e-mail costs nothing.
 */
const PARTS = { known: 3, session: 1 };

const partOf = (sender: CodeSender): keyof typeof PARTS | undefined => {
  if (sender.kind === 'stranger') return undefined;
  return sender.kind === 'session' && !sender.isHolder ? 'session' : 'known';
};

/** The parts of the shared budgets that are kept for a sender; none for a stranger. */
export const keptFor = (
  sender: CodeSender,
  budgets: readonly RateLimit[],
  { perDay }: CodeLimits,
): RateLimit[] => {
  const part = partOf(sender);
  if (part === undefined || sender.kind === 'stranger' || budgets.length === 0) return [];
  const kept = budgets.map((budget) => ({
    ...budget,
    key: budget.key.replace(/^\S+/, (name) => `${name}.${part}`),
    limit: Math.ceil((budget.limit * PARTS[part]) / 10),
  }));
  // Whoever has the password of an account has any number of browsers that know it.
  const share = { key: `code.holder ${sender.accountId}`, limit: perDay * SESSIONS, windowSeconds: DAY };
  return part === 'known' ? [...kept, share] : kept;
};
