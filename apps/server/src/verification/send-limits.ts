import type { CodePurpose } from '@candela/contract';
import type { Identifier } from '../identifier/identifier.ts';
import { addressKey } from '../rate-limit/address-key.ts';
import type { RateLimit } from '../rate-limit/rate-limit.service.ts';

/**
 * What one number block (dial code and first digits, seven in all) may cost an hour: pumping of SMS goes to
 * blocks of numbers that share the profit. Far above what people need, for the operator to lower; 0: no budget.
 */
export const CODES_PER_PREFIX_PER_HOUR = 10_000;
/** What all codes together may cost a minute, so that a flood ends before the money does; 0: no budget. */
export const CODES_PER_MINUTE = 30_000;
/** What all codes together may cost a day; 0: no budget. */
export const CODES_PER_DAY = 5_000_000;

export interface CodeLimits {
  ttlSeconds: number;
  /** Between two codes for one identifier and purpose, from whatever browser. */
  resendSeconds: number;
  maxTries: number;
  /** For each identifier over all purposes. */
  perHour: number;
  perDay: number;
  perAddressPerHour: number;
  /** For each block of phone numbers; `CODES_PER_PREFIX_PER_HOUR` unless told. */
  perPrefixPerHour?: number;
  /** Over all identifiers; `CODES_PER_MINUTE` unless told. */
  globalPerMinute?: number;
  /** Over all identifiers; `CODES_PER_DAY` unless told. */
  globalPerDay?: number;
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

const budgets = ({ kind, value }: Identifier, limits: CodeLimits): RateLimit[] => {
  const {
    perPrefixPerHour = CODES_PER_PREFIX_PER_HOUR,
    globalPerMinute = CODES_PER_MINUTE,
    globalPerDay = CODES_PER_DAY,
  } = limits;
  const prefix = {
    key: `code.prefix ${value.slice(0, BLOCK_LENGTH)}`,
    limit: perPrefixPerHour,
    windowSeconds: HOUR,
  };
  return [
    ...(kind === 'phone' ? [prefix] : []),
    { key: 'code.minute', limit: globalPerMinute, windowSeconds: MINUTE },
    { key: 'code.day', limit: globalPerDay, windowSeconds: DAY },
  ].filter(({ limit }) => limit > 0);
};

/**
 * All that a code is counted under, in one order for every caller: rows are locked as they are counted,
 * those that everyone shares last.
 */
export const sendLimits = (
  { purpose, address, identifier }: { purpose: CodePurpose; address: string; identifier: Identifier },
  limits: CodeLimits,
): RateLimit[] => {
  const { value } = identifier;
  const cooldown = {
    key: `code.cooldown ${purpose} ${value}`,
    limit: 1,
    windowSeconds: limits.resendSeconds,
  };
  return [
    ...(limits.resendSeconds > 0 ? [cooldown] : []),
    { key: `code.hour ${value}`, limit: limits.perHour, windowSeconds: HOUR },
    { key: `code.day ${value}`, limit: limits.perDay, windowSeconds: DAY },
    { key: `code.address ${addressKey(address)}`, limit: limits.perAddressPerHour, windowSeconds: HOUR },
    ...budgets(identifier, limits),
  ];
};
