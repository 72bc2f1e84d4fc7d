import { domainToASCII } from 'node:url';

// RFC 5321 section 4.1.2 (Dot-string) with the non-ASCII of RFC 6531; quoted local parts are refused.
const localPart = /^[^\s"(),:;<>@[\\\]\p{C}\p{Z}\p{DI}]+$/u;
const domainText = /^[\p{L}\p{N}\p{M}.-]+$/u;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const countAt = (text: string) => text.split('@').length - 1;

/** Upper case first: it makes equal what lower case alone keeps apart (ß and ss, ς and σ). */
const foldCase = (text: string) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');

const toDomain = (text: string): string | undefined => {
  if (!domainText.test(text)) return undefined;
  const domain = domainToASCII(text.toLowerCase());
  const labels = domain.split('.');
  const topLevel = labels.at(-1) ?? '';
  const named =
    labels.length >= 2 && domain.length <= 253 && labels.every((label) => domainLabel.test(label));
  return named && !/^\d+$/.test(topLevel) ? domain : undefined;
};

/**
 * An e-mail address as typed: `value` is the NFKC, case-folded compare key with the domain in punycode.
 * Undefined when it is not exactly one plain address.
 */
export const parseEmail = (typed: string): { value: string; display: string } | undefined => {
  const text = typed.normalize('NFKC');
  // A second @ that only normalisation brings out (U+FF20) would move the address to another domain.
  if (countAt(typed) !== 1 || countAt(text) !== 1) return undefined;
  const [local = '', domainTyped = ''] = text.split('@');
  const key = foldCase(local);
  if (![local, key].every((part) => localPart.test(part) && !/^\.|\.\.|\.$/.test(part))) return undefined;
  if (Buffer.byteLength(local) > 64 || Buffer.byteLength(key) > 64) return undefined;
  const domain = toDomain(domainTyped);
  if (!domain) return undefined;
  const value = `${key}@${domain}`;
  // Apps see the display as verified, so it must be the mailbox that the code went to: case of ASCII aside,
  // another spelling of the key can be another person's.
  return { value, display: /^[!-~]+$/.test(local) ? `${local}@${domain}` : value };
};
